// Implements protocol/access_groups.h: a plugin for GCC 12 that groups the hooks of
// -fsanitize=thread, as protocol/access_groups.h says.
//
// It runs after GCC has inserted the hooks and has finished optimising, just before it leaves
// GIMPLE. Loops are unrolled by then, so every copy has groups of its own, and no later pass tries
// to optimise the branches that are added here.
#include "plugins/gcc/gcc_group_writer.h"

int plugin_is_GPL_compatible;

namespace {

using namespace snag::plugins;

const pass_data kPassData = {
    GIMPLE_PASS, "snag_groups", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

bool is_in_loop(const Group& group) {
  const class loop* around = gimple_bb(group.members[0].hook.call)->loop_father;
  return around && loop_depth(around) > 0;
}

class GroupHooks : public gimple_opt_pass {
 public:
  explicit GroupHooks(gcc::context* context) : gimple_opt_pass(kPassData, context) {}

  bool gate(::function*) override { return optimize && (flag_sanitize & SANITIZE_THREAD); }

  unsigned execute(::function* function) override {
    const std::vector<Group> groups = Grouper().groups(function);
    guard_function_hooks(function);
    auto_bitmap addresses;
    for (const Group& group : groups) {
      for (const Group::Member& member : group.members) {
        const tree address = member.hook.address();
        if (TREE_CODE(address) == SSA_NAME) bitmap_set_bit(addresses, SSA_NAME_VERSION(address));
      }
    }
    std::size_t records = 0;
    for (const Group& group : groups) {
      for (const Group::Member& member : group.members) records += member.hook.records();
    }
    const bool is_small = records <= snag::kMaxSmallFunction;
    for (const Group& group : groups) rewrite(group, is_small || is_in_loop(group));
    // These are dead where another address at a constant distance is available.
    simple_dce_from_worklist(addresses);
    free_dominance_info(CDI_DOMINATORS);
    mark_virtual_operands_for_renaming(function);
    return TODO_update_ssa_only_virtuals;
  }
};

}  // namespace

int plugin_init(plugin_name_args* arguments, plugin_gcc_version* version) {
  // Leave the hooks as they are: they are correct, only slower.
  if (!plugin_default_version_check(version, &gcc_version)) return 0;
  static const ggc_root_tab kRoots[] = {
      {declarations, kDeclarations, sizeof declarations[0], gt_ggc_mx_tree_node,
       gt_pch_nx_tree_node},
      LAST_GGC_ROOT_TAB,
  };
  register_callback(arguments->base_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr,
                    const_cast<ggc_root_tab*>(kRoots));
  register_pass_info pass{new GroupHooks(g), "optimized", 1, PASS_POS_INSERT_BEFORE};
  register_callback(arguments->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &pass);
  return 0;
}
