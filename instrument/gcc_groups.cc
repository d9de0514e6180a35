// A plugin for GCC 12 that groups the hooks of -fsanitize=thread, as runtime/access_group.h says.
//
// It runs when GCC has inserted the hooks and is through with optimising, just before it leaves
// GIMPLE. The loops are unrolled by then, so that every copy has groups of its own, and nothing
// tries to improve on the branches that are added here.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

// The order of GCC's own headers matters.
// clang-format off
#include <gcc-plugin.h>
#include <plugin-version.h>

#include <context.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <ssa.h>
#include <builtins.h>
#include <cfganal.h>
#include <cfgloop.h>
#include <cgraph.h>
#include <fold-const.h>
#include <gimple-iterator.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <output.h>
#include <stringpool.h>
#include <tree-cfg.h>
#include <tree-dfa.h>
#include <tree-into-ssa.h>
#include <tree-ssa-dce.h>
#include <varasm.h>
// clang-format on

#include "runtime/access_group.h"

int plugin_is_GPL_compatible;

namespace {

// What is declared in the program: kept here for GCC's garbage collector to know of.
enum Declaration : std::size_t {
  kMode,
  kThread,
  kGroupHooks,                                        // one for each number of bases
  kMemberHooks = kGroupHooks + snag::kMaxGroupBases,  // by size, the reads and then the writes
  kMemberSizes = 5,
  kReadRange = kMemberHooks + 2 * kMemberSizes,
  kWriteRange,
  kDeclarations,
};
tree declarations[kDeclarations];

struct Hook {
  gcall* call;
  std::uint64_t bytes;
  bool writes;
  bool is_block;  // of memory, told of word by word

  tree address() const { return gimple_call_arg(call, 0); }
  // (Bytes and shorts have another kind of shadow.)
  bool can_be_member() const { return bytes >= 4; }
  std::size_t records() const { return (bytes + 7) / 8; }
};

// Larger blocks are left to the runtime.
constexpr std::uint64_t kMaxBlock = 64;

bool as_hook(gimple* statement, Hook* hook) {
  // (Not gimple_call_builtin_p: the sizes of ranges are of another type than they should be.)
  const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (!callee || !fndecl_built_in_p(callee, BUILT_IN_NORMAL)) return false;
  const built_in_function code = DECL_FUNCTION_CODE(callee);
  const auto call = as_a<gcall*>(statement);
  if (code == BUILT_IN_TSAN_READ_RANGE || code == BUILT_IN_TSAN_WRITE_RANGE) {
    const tree size = gimple_call_arg(call, 1);
    if (!tree_fits_uhwi_p(size)) return false;
    *hook = {call, tree_to_uhwi(size), code == BUILT_IN_TSAN_WRITE_RANGE, true};
    return hook->bytes != 0 && hook->bytes <= kMaxBlock && hook->bytes % 4 == 0;
  }
  if (code >= BUILT_IN_TSAN_READ1 && code <= BUILT_IN_TSAN_READ16) {
    *hook = {call, 1u << (code - BUILT_IN_TSAN_READ1), false, false};
  } else if (code >= BUILT_IN_TSAN_WRITE1 && code <= BUILT_IN_TSAN_WRITE16) {
    *hook = {call, 1u << (code - BUILT_IN_TSAN_WRITE1), true, false};
  } else {
    return false;
  }
  return true;
}

// Other threads may learn of what was done before it, or this one of what they did.
bool may_order_threads(gimple* statement) {
  if (gimple_code(statement) == GIMPLE_ASM) return true;
  if (!is_gimple_call(statement)) return false;
  const int flags = gimple_call_flags(statement);
  if (gimple_call_internal_p(statement)) return !(flags & (ECF_CONST | ECF_PURE));
  if (!gimple_call_builtin_p(statement)) return true;
  // (Some functions of mathematics only lack "const" because they may set errno.)
  return !(flags & ECF_CONST) && !mathfn_built_in_type(gimple_call_combined_fn(statement));
}

// An address, or a number that becomes one, as a distance from something.
struct Place {
  tree base;
  HOST_WIDE_INT offset;
};

// Where a hook's address comes from: as far back as it goes, for seeing what has a base in common,
// and the first of all on that way that is there before the block, so that using it at the end of
// the block does not keep something alive that would have been gone.
struct Origin {
  Place far, near;
};

bool is_offset(HOST_WIDE_INT distance) { return distance == static_cast<std::int32_t>(distance); }

bool is_copied_by_edges(tree value) {
  return TREE_CODE(value) == SSA_NAME && SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value);
}

bool is_wide_as_pointer(tree value) {
  const tree type = TREE_TYPE(value);
  return (POINTER_TYPE_P(type) || INTEGRAL_TYPE_P(type)) && TYPE_PRECISION(type) == POINTER_SIZE;
}

// One step back; false: there is none.
bool step_back(Place* place) {
  tree value = place->base;
  HOST_WIDE_INT distance = 0;
  if (TREE_CODE(value) == SSA_NAME) {
    gimple* definition = SSA_NAME_DEF_STMT(value);
    if (!is_gimple_assign(definition)) return false;
    const tree_code code = gimple_assign_rhs_code(definition);
    value = gimple_assign_rhs1(definition);
    if (code == POINTER_PLUS_EXPR || code == PLUS_EXPR) {
      const tree constant = gimple_assign_rhs2(definition);
      if (TREE_CODE(constant) != INTEGER_CST) return false;
      distance = static_cast<HOST_WIDE_INT>(TREE_INT_CST_LOW(constant));
    } else if (code != SSA_NAME && code != ADDR_EXPR && !CONVERT_EXPR_CODE_P(code)) {
      return false;
    }
    if (!is_wide_as_pointer(value)) return false;
  } else if (TREE_CODE(value) == ADDR_EXPR && !DECL_P(TREE_OPERAND(value, 0))) {
    poly_int64 inside;
    const tree object = get_addr_base_and_unit_offset(TREE_OPERAND(value, 0), &inside);
    if (!object || !inside.is_constant(&distance)) return false;
    if (TREE_CODE(object) == MEM_REF) {
      HOST_WIDE_INT more;
      if (!mem_ref_offset(object).to_shwi(&inside) || !inside.is_constant(&more)) return false;
      distance += more;
      value = TREE_OPERAND(object, 0);
    } else if (DECL_P(object) && decl_address_invariant_p(object)) {
      value = build_fold_addr_expr(object);
    } else {
      return false;
    }
  } else {
    return false;
  }
  if (is_copied_by_edges(value)) return false;  // it may not live longer than it does
  if (!is_offset(place->offset + distance)) return false;
  *place = {value, place->offset + distance};
  return true;
}

Origin origin_of(const Hook& hook) {
  tree address = hook.address();
  if (is_copied_by_edges(address)) {
    gassign* copy = gimple_build_assign(make_ssa_name(TREE_TYPE(address)), address);
    gimple_stmt_iterator before = gsi_for_stmt(hook.call);
    gsi_insert_before(&before, copy, GSI_SAME_STMT);
    address = gimple_assign_lhs(copy);
    return {{address, 0}, {address, 0}};
  }
  const auto is_end = [&](tree value) {
    return TREE_CODE(value) == SSA_NAME &&
           gimple_bb(SSA_NAME_DEF_STMT(value)) != gimple_bb(hook.call);
  };
  Origin origin{{address, 0}, {NULL_TREE, 0}};
  Place good = origin.far;  // (on the way there are also things that no call can be given)
  do {
    if (!is_gimple_val(origin.far.base)) continue;
    good = origin.far;
    if (!origin.near.base && is_end(good.base)) origin.near = good;
  } while (step_back(&origin.far));
  origin.far = good;
  if (!origin.near.base || is_gimple_min_invariant(good.base)) origin.near = good;
  // Whether it lies at words is asked of the bases alone.
  if (origin.far.offset % 4 != 0 || origin.near.offset % 4 != 0)
    return {{address, 0}, {address, 0}};
  return origin;
}

// Hooks that are told of together.
struct Group {
  struct Member {
    Hook hook;
    Origin origin;
    std::size_t base;

    bool is_half(std::size_t record) const { return hook.bytes - 8 * record < 8; }
  };
  struct Base {
    tree far;
    tree value;  // of the members' origins, the far or the near one
  };
  std::vector<Member> members;
  std::vector<Base> bases;

  // False: there is no room for it.
  bool add(const Hook& hook, const Origin& origin) {
    std::size_t records = hook.records();
    for (const Member& member : members) records += member.hook.records();
    if (records > snag::kMaxGroupMembers) return false;
    std::size_t base = 0;
    while (base < bases.size() && !operand_equal_p(bases[base].far, origin.far.base)) ++base;
    if (base == snag::kMaxGroupBases || !fits(origin.far, hook) || !fits(origin.near, hook))
      return false;
    if (base == bases.size()) {
      bases.push_back({origin.far.base, origin.near.base});
    } else if (bases[base].value != origin.near.base) {
      bases[base].value = bases[base].far;
    }
    members.push_back({hook, origin, base});
    return true;
  }

  Place place_of(const Member& member) const {
    const Origin& origin = member.origin;
    return bases[member.base].value == origin.near.base ? origin.near : origin.far;
  }
  static bool fits(const Place& place, const Hook& hook) {
    return is_offset(place.offset + static_cast<HOST_WIDE_INT>(hook.bytes));
  }
  bool only_reads() const {
    for (const Member& member : members) {
      if (member.hook.writes) return false;
    }
    return true;
  }
};

// Finds the groups of a function: hooks one after the other, in a block or in a chain of blocks
// each of which is always followed by the next, with nothing in between that may order threads.
class Grouper {
 public:
  std::vector<Group> groups(::function* function) {
    calculate_dominance_info(CDI_DOMINATORS);
    calculate_dominance_info(CDI_POST_DOMINATORS);
    std::vector<int> order(n_basic_blocks_for_fn(function));
    const int count = pre_and_rev_post_order_compute(nullptr, order.data(), false);
    for (int i = 0; i < count; ++i) {
      const basic_block block = BASIC_BLOCK_FOR_FN(function, order[i]);
      if (!done_.count(block)) chain(block);
    }
    free_dominance_info(CDI_POST_DOMINATORS);
    return std::move(groups_);
  }

 private:
  void chain(basic_block block) {
    while (block) {
      done_.insert(block);
      add(block);
      block = group_.members.empty() ? nullptr : following(block);
    }
    finish();
  }

  void add(basic_block block) {
    for (auto i = gsi_start_nondebug_after_labels_bb(block); !gsi_end_p(i); gsi_next_nondebug(&i)) {
      gimple* const statement = gsi_stmt(i);
      Hook hook;
      if (!as_hook(statement, &hook)) {
        if (may_order_threads(statement)) finish();
        continue;
      }
      const Origin origin = origin_of(hook);
      if (!hook.can_be_member() || !group_.add(hook, origin)) {
        finish();
        group_.add(hook, origin);
        if (!hook.can_be_member()) finish();
      }
    }
  }

  void finish() {
    if (!group_.members.empty()) groups_.push_back(std::move(group_));
    group_ = {};
  }

  // The block that comes after this one, once, whatever way is taken: if there is nothing to be
  // told on the ways there.
  basic_block following(basic_block block) {
    const basic_block next = get_immediate_dominator(CDI_POST_DOMINATORS, block);
    if (!next || next->index < NUM_FIXED_BLOCKS || done_.count(next) ||
        !dominated_by_p(CDI_DOMINATORS, next, block))
      return nullptr;
    std::set<basic_block> between;
    std::vector<basic_block> to_do{block};
    while (!to_do.empty()) {
      const basic_block from = to_do.back();
      to_do.pop_back();
      edge each;
      edge_iterator i;
      FOR_EACH_EDGE(each, i, from->succs) {
        const basic_block one = each->dest;
        if (each->flags & (EDGE_ABNORMAL | EDGE_EH)) return nullptr;
        if (one == next || !between.insert(one).second) continue;
        if (one == block || between.size() > kMaxBetween || !is_quiet(one)) return nullptr;
        to_do.push_back(one);
      }
    }
    return comes_back(next, block) ? nullptr : next;
  }

  // Whether the block may be executed again without the other one in between.
  static bool comes_back(basic_block block, basic_block without) {
    std::set<basic_block> seen;
    std::vector<basic_block> to_do{block};
    while (!to_do.empty()) {
      const basic_block from = to_do.back();
      to_do.pop_back();
      edge each;
      edge_iterator i;
      FOR_EACH_EDGE(each, i, from->succs) {
        if (each->dest == block || seen.size() == kMaxAround) return true;
        if (each->dest != without && seen.insert(each->dest).second) to_do.push_back(each->dest);
      }
    }
    return false;
  }

  static bool is_quiet(basic_block block) {
    Hook ignored;
    for (auto i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
      if (as_hook(gsi_stmt(i), &ignored) || may_order_threads(gsi_stmt(i))) return false;
    }
    return true;
  }

  // So many blocks are looked at; more may be anything.
  static constexpr std::size_t kMaxBetween = 16, kMaxAround = 256;
  std::set<basic_block> done_;
  std::vector<Group> groups_;
  Group group_;
};

tree byte_type() { return unsigned_char_type_node; }
tree byte(std::uint8_t value) { return build_int_cst(byte_type(), value); }

tree mode() {
  tree& mode = declarations[kMode];
  if (!mode) {
    mode = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("__snag_hook_mode"),
                      build_qualified_type(byte_type(), TYPE_QUAL_VOLATILE));
    TREE_THIS_VOLATILE(mode) = TREE_SIDE_EFFECTS(mode) = 1;
    TREE_PUBLIC(mode) = DECL_EXTERNAL(mode) = 1;
    TREE_USED(mode) = DECL_ARTIFICIAL(mode) = DECL_IGNORED_P(mode) = 1;
  }
  return mode;
}

tree long_type() { return long_unsigned_type_node; }
tree number(std::uint64_t value) { return build_int_cstu(long_type(), value); }

// GroupThread, of which all members are as wide as a pointer.
tree of_thread(std::size_t offset) {
  tree& thread = declarations[kThread];
  if (!thread) {
    const std::size_t count = sizeof(snag::GroupThread) / sizeof(std::uint64_t);
    thread = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("__snag_thread"),
                        build_array_type_nelts(long_type(), count));
    TREE_PUBLIC(thread) = DECL_EXTERNAL(thread) = 1;
    TREE_USED(thread) = DECL_ARTIFICIAL(thread) = DECL_IGNORED_P(thread) = 1;
    set_decl_tls_model(thread, TLS_MODEL_INITIAL_EXEC);
  }
  return build4(ARRAY_REF, long_type(), thread, size_int(offset / sizeof(std::uint64_t)), NULL_TREE,
                NULL_TREE);
}

tree function(std::size_t which, const std::string& name, std::size_t arguments) {
  tree& function = declarations[which];
  if (!function) {
    std::vector<tree> types(arguments, ptr_type_node);
    if (which == kReadRange || which == kWriteRange) types[1] = long_type();
    function = build_fn_decl(name.c_str(),
                             build_function_type_array(void_type_node, arguments, types.data()));
    TREE_NOTHROW(function) = 1;
    // That it does not call back, nor jump: there need not be edges for that.
    DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  }
  return function;
}

tree group_hook(std::size_t bases) {
  return function(kGroupHooks + bases - 1, "__snag_group" + std::to_string(bases), 1 + bases);
}

// As the compiler's, with one more argument.
tree member_hook(const Hook& hook) {
  const std::string name = hook.writes ? "__snag_write" : "__snag_read";
  if (hook.is_block) return function(hook.writes ? kWriteRange : kReadRange, name + "_range", 3);
  const std::size_t which = kMemberHooks + (hook.writes ? std::size_t{kMemberSizes} : 0);
  return function(which + exact_log2(hook.bytes), name + std::to_string(hook.bytes), 2);
}

// The AccessGroup.
tree data_of(const Group& group) {
  std::vector<snag::GroupMember> members;
  for (const Group::Member& each : group.members) {
    for (std::size_t i = 0; i < each.hook.records(); ++i) {
      snag::GroupMember member{};
      member.offset = static_cast<std::int32_t>(group.place_of(each).offset + 8 * i);
      member.base = static_cast<std::uint8_t>(each.base);
      member.index = static_cast<std::uint8_t>(members.size());
      member.part = static_cast<std::uint8_t>(each.hook.is_block ? i + 1 : 0);
      member.flags = static_cast<std::uint8_t>((each.hook.writes ? snag::kMemberWrites : 0) |
                                               (each.is_half(i) ? snag::kMemberIsHalf : 0));
      members.push_back(member);
    }
  }
  snag::AccessGroup head{};
  head.count = static_cast<std::uint8_t>(members.size());
  head.bases = static_cast<std::uint8_t>(group.bases.size());
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes.append(reinterpret_cast<const char*>(members.data()), members.size() * sizeof members[0]);
  static unsigned last_number = 0;
  char name[32];
  ASM_GENERATE_INTERNAL_LABEL(name, "LSNAG_GROUP", last_number++);
  const tree data = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name),
                               build_array_type_nelts(byte_type(), bytes.size()));
  TREE_STATIC(data) = TREE_ADDRESSABLE(data) = TREE_USED(data) = 1;
  DECL_ARTIFICIAL(data) = DECL_IGNORED_P(data) = 1;
  SET_DECL_ALIGN(data, alignof(snag::GroupMember) * BITS_PER_UNIT);
  DECL_USER_ALIGN(data) = 1;
  DECL_INITIAL(data) = build_string(bytes.size(), bytes.data());
  TREE_TYPE(DECL_INITIAL(data)) = TREE_TYPE(data);
  varpool_node::finalize_decl(data);
  return data;
}

// A statement before another one, as of the same place in the source.
tree assign_before(gimple* next, tree type, tree_code code, tree first, tree second = NULL_TREE) {
  gassign* const assign = gimple_build_assign(make_ssa_name(type), code, first, second);
  gimple_set_location(assign, gimple_location(next));
  gimple_stmt_iterator before = gsi_for_stmt(next);
  gsi_insert_before(&before, assign, GSI_SAME_STMT);
  return gimple_assign_lhs(assign);
}

tree load_mode_before(gimple* next) { return assign_before(next, byte_type(), VAR_DECL, mode()); }

// What a call gets as an argument: a pointer.
tree pointer_before(gimple* call, const Place& place) {
  const tree pointer = fold_convert(ptr_type_node, place.base);
  gimple_stmt_iterator before = gsi_for_stmt(call);
  return force_gimple_operand_gsi(
      &before, place.offset ? fold_build_pointer_plus_hwi(pointer, place.offset) : pointer, true,
      NULL_TREE, true, GSI_SAME_STMT);
}

// Makes a call that is in place conditional.
void guard(gcall* call, tree_code code, tree left, std::uint8_t right, profile_probability taken) {
  gcond* const condition = gimple_build_cond(code, left, byte(right), NULL_TREE, NULL_TREE);
  gimple_set_location(condition, gimple_location(call));
  const basic_block apart = insert_cond_bb(gimple_bb(call), call, condition, taken);
  gimple_stmt_iterator from = gsi_for_stmt(call);
  gsi_move_to_bb_end(&from, apart);
}

// A call whose arguments are still to be set, once it is known where they are needed.
gcall* build_call(tree function, std::size_t arguments, location_t location) {
  auto_vec<tree> nothing;
  for (std::size_t i = 0; i < arguments; ++i) nothing.safe_push(null_pointer_node);
  gcall* const call = gimple_build_call_vec(function, nothing);
  gimple_set_location(call, location);
  return call;
}

void set_argument(gcall* call, unsigned index, const Place& place) {
  gimple_call_set_arg(call, index, pointer_before(call, place));
  update_stmt(call);
}

// Where a hook was, under its own location: that is what the runtime finds the source by.
gcall* replace(const Hook& hook, tree function, std::size_t arguments) {
  gcall* const call = build_call(function, arguments, gimple_location(hook.call));
  gimple_stmt_iterator at = gsi_for_stmt(hook.call);
  gsi_insert_before(&at, call, GSI_SAME_STMT);
  unlink_stmt_vdef(hook.call);
  gsi_remove(&at, true);
  release_defs(hook.call);
  return call;
}

void rewrite_single(const Hook& hook) {
  const tree address = hook.address();
  gcall* const call = replace(hook, gimple_call_fndecl(hook.call), 1);
  guard(call, NE_EXPR, load_mode_before(call), snag::kHooksOff, profile_probability::likely());
  set_argument(call, 0, {address, 0});
}

// Something in memory. (As a char: it may be the same as anything else.)
tree at(tree type, tree pointer, std::size_t offset = 0) {
  return build2(MEM_REF, type, pointer, build_int_cst(build_pointer_type(char_type_node), offset));
}

// Builds blocks of statements between two others.
class Flow {
 public:
  Flow(basic_block from, location_t location)
      : last_(from), loop_(from->loop_father), count_(from->count), location_(location) {}

  basic_block new_block(profile_probability probability = profile_probability::always()) {
    last_ = create_empty_bb(last_);
    if (current_loops) add_bb_to_loop(last_, loop_);
    last_->count = count_.apply_probability(probability);
    return last_;
  }
  void write_to(basic_block block) { block_ = block; }
  basic_block block() const { return block_; }

  tree assign(tree type, tree_code code, tree first, tree second = NULL_TREE) {
    const tree result = make_ssa_name(type);
    append(gimple_build_assign(result, code, first, second));
    return result;
  }
  tree sum(tree first, std::uint64_t second) {
    return second == 0 ? first : assign(long_type(), PLUS_EXPR, first, number(second));
  }
  tree as_long(tree value) { return assign(long_type(), NOP_EXPR, value); }
  tree load(tree type, tree address) {
    return assign(type, MEM_REF, at(type, pointer_to(address)));
  }
  tree load_of_thread(std::size_t offset) {
    return assign(long_type(), ARRAY_REF, of_thread(offset));
  }
  void store(tree type, tree address, tree value) {
    append(gimple_build_assign(at(type, pointer_to(address)), value));
  }
  void call(gcall* call) { append(call); }

  void branch(tree_code code, tree left, tree right, basic_block then, basic_block otherwise,
              profile_probability taken) {
    append(gimple_build_cond(code, left, right, NULL_TREE, NULL_TREE));
    make_edge(block_, then, EDGE_TRUE_VALUE)->probability = taken;
    make_edge(block_, otherwise, EDGE_FALSE_VALUE)->probability = taken.invert();
  }
  void jump(basic_block to) { make_single_succ_edge(block_, to, EDGE_FALLTHRU); }

 private:
  void append(gimple* statement) {
    gimple_set_location(statement, location_);
    gimple_stmt_iterator end = gsi_last_bb(block_);
    gsi_insert_after(&end, statement, GSI_NEW_STMT);
  }
  tree pointer_to(tree address) {
    return POINTER_TYPE_P(TREE_TYPE(address)) ? address : assign(ptr_type_node, NOP_EXPR, address);
  }
  basic_block last_, block_ = nullptr;
  class loop* loop_;
  profile_count count_;
  location_t location_;
};

// Looks at the shadow of each member, and changes it as this thread did the last time; if it is not
// what it was then, the runtime goes on from there.
class Teller {
 public:
  // Between the blocks `begin`, which is empty, and `end`.
  Teller(const Group& group, tree data, basic_block begin, basic_block end, location_t location)
      : group_(group), data_(data), flow_(begin, location), end_(end) {
    flow_.write_to(begin);
  }

  // Only that the runtime is to see to it.
  void write_call() {
    next_ = data_at(record(0));
    slowly();
  }

  void write() {
    slow_ = flow_.new_block(profile_probability::very_unlikely());
    next_ = make_ssa_name(ptr_type_node);
    create_phi_node(next_, slow_);
    for (const Group::Base& base : group_.bases) bases_.push_back(flow_.as_long(base.value));
    const tree place = flow_.as_long(
        flow_.assign(unsigned_type_node, MEM_REF,
                     at(unsigned_type_node, data_, offsetof(snag::AccessGroup, memo))));
    const tree memo = flow_.assign(long_type(), PLUS_EXPR,
                                   flow_.load_of_thread(offsetof(snag::GroupThread, memos)), place);
    const tree state = flow_.load(long_type(), memo);
    const basic_block known = flow_.new_block(), otherwise = flow_.new_block();
    flow_.branch(EQ_EXPR, state, number(snag::kMemoKnown), known, otherwise,
                 profile_probability::likely());
    flow_.write_to(otherwise);
    if (group_.only_reads()) {
      go_on_if(EQ_EXPR, state, number(snag::kMemoReads), 0);
      reads(place);
    } else {
      flow_.jump(slow_);
      comes_from_here(0);
    }
    flow_.write_to(known);
    changes(memo);
    flow_.write_to(slow_);
    slowly();
  }

 private:
  static std::size_t record(std::size_t index) {
    return sizeof(snag::AccessGroup) + index * sizeof(snag::GroupMember);
  }
  tree data_at(std::size_t offset) {
    return build_fold_addr_expr(at(char_type_node, data_, offset));
  }
  // The runtime is to go on from this record, if that is where the control goes.
  void comes_from_here(std::size_t index) {
    // (It is another one whenever it had to grow.)
    const auto phi = as_a<gphi*>(SSA_NAME_DEF_STMT(next_));
    add_phi_arg(phi, data_at(record(index)), find_edge(flow_.block(), slow_), UNKNOWN_LOCATION);
  }
  void go_on_if(tree_code code, tree left, tree right, std::size_t index) {
    const basic_block following = flow_.new_block();
    flow_.branch(code, left, right, following, slow_, profile_probability::very_likely());
    comes_from_here(index);
    flow_.write_to(following);
  }
  static tree type_of(const Group::Member& member, std::size_t record) {
    return member.is_half(record) ? unsigned_type_node : long_type();
  }
  tree times(tree value, std::size_t factor) {
    return flow_.assign(long_type(), MULT_EXPR, value, number(snag::kGroupFactors[factor]));
  }
  tree cell_of(const Group::Member& member, std::size_t part) {
    const HOST_WIDE_INT offset = group_.place_of(member).offset + 8 * part;
    const tree address = flow_.sum(bases_[member.base], static_cast<std::uint64_t>(offset));
    return flow_.sum(flow_.assign(long_type(), BIT_XOR_EXPR, address, number(snag::kPlaneBit)),
                     snag::kPlaneOffset);
  }

  // See snag::kMemoReads.
  void reads(tree place) {
    std::size_t factor = snag::kMaxGroupMembers;
    tree sum = place;
    for (const tree base : bases_) {
      place = flow_.assign(long_type(), PLUS_EXPR, place, times(base, factor++));
      sum = flow_.assign(long_type(), PLUS_EXPR, sum, base);
    }
    tree reading = flow_.assign(long_type(), BIT_XOR_EXPR, place,
                                flow_.load_of_thread(offsetof(snag::GroupThread, epoch)));
    factor = 0;
    for (const Group::Member& member : group_.members) {
      for (std::size_t i = 0; i < member.hook.records(); ++i) {
        const tree found = flow_.as_long(flow_.load(type_of(member, i), cell_of(member, i)));
        reading = flow_.assign(long_type(), PLUS_EXPR, reading, times(found, factor++));
      }
    }
    // (Times 8, of which the lower bits are nothing.)
    const tree offset =
        flow_.assign(long_type(), BIT_AND_EXPR, sum, number(((1ul << snag::kReadsBits) - 1) << 3));
    const tree read = flow_.load(
        long_type(), flow_.assign(long_type(), PLUS_EXPR, offset,
                                  flow_.load_of_thread(offsetof(snag::GroupThread, reads))));
    flow_.branch(EQ_EXPR, read, reading, end_, slow_, profile_probability::very_likely());
    comes_from_here(0);
  }

  void changes(tree memo) {
    tree low_bits = bases_[0];
    for (std::size_t i = 1; i < bases_.size(); ++i)
      low_bits = flow_.assign(long_type(), BIT_IOR_EXPR, low_bits, bases_[i]);
    low_bits = flow_.assign(long_type(), BIT_AND_EXPR, low_bits, number(3));
    go_on_if(EQ_EXPR, low_bits, number(0), 0);
    std::size_t index = 0;
    for (const Group::Member& member : group_.members) {
      for (std::size_t i = 0; i < member.hook.records(); ++i, ++index)
        change(member, i, memo, index);
    }
    flow_.jump(end_);
  }

  // What was changed then, or what that became, which stays as it is.
  void change(const Group::Member& member, std::size_t part, tree memo, std::size_t index) {
    const tree type = type_of(member, part);
    const tree cell = cell_of(member, part);
    const std::size_t at = sizeof(snag::GroupMemo) + index * sizeof(snag::MemberMemo);
    const tree found = flow_.load(type, cell);
    const tree to = flow_.load(type, flow_.sum(memo, at + offsetof(snag::MemberMemo, to)));
    const tree from = flow_.load(type, flow_.sum(memo, at + offsetof(snag::MemberMemo, from)));
    const basic_block change = flow_.new_block(), other = flow_.new_block(),
                      done = flow_.new_block();
    flow_.branch(EQ_EXPR, found, from, change, other, profile_probability::likely());
    flow_.write_to(change);
    flow_.store(type, cell, to);
    flow_.jump(done);
    flow_.write_to(other);
    flow_.branch(EQ_EXPR, found, to, done, slow_, profile_probability::likely());
    comes_from_here(index);
    flow_.write_to(done);
  }

  void slowly() {
    auto_vec<tree> arguments;
    arguments.safe_push(next_);
    for (const Group::Base& base : group_.bases) {
      const bool is_pointer = POINTER_TYPE_P(TREE_TYPE(base.value));
      arguments.safe_push(is_pointer ? base.value
                                     : flow_.assign(ptr_type_node, NOP_EXPR, base.value));
    }
    flow_.call(gimple_build_call_vec(group_hook(group_.bases.size()), arguments));
    flow_.jump(end_);
  }

  const Group& group_;
  const tree data_;
  Flow flow_;
  const basic_block end_;
  basic_block slow_;
  tree next_;
  std::vector<tree> bases_;
};

// The last member: after it, the group stands for all of them.
void tell_at(gcall* last, const Group& group, tree data, tree apart, tree mode, bool quickly) {
  const location_t location = gimple_location(last);
  const basic_block head = gimple_bb(last);
  gimple_stmt_iterator before = gsi_for_stmt(last);
  gsi_prev(&before);
  const edge entry =
      gsi_end_p(before) ? split_block_after_labels(head) : split_block(head, gsi_stmt(before));
  const basic_block alone = entry->dest;
  const basic_block end = split_block(alone, last)->dest;
  remove_edge(entry);
  alone->count = head->count.apply_probability(profile_probability::very_unlikely());
  Flow flow(head, location);
  const basic_block free = flow.new_block(), grouped = flow.new_block();
  flow.write_to(head);
  flow.branch(NE_EXPR, apart, byte(0), alone, free, profile_probability::very_unlikely());
  flow.write_to(free);
  flow.branch(EQ_EXPR, mode, byte(snag::kHooksGrouped), grouped, end,
              profile_probability::likely());
  Teller teller(group, data, grouped, end, location);
  if (quickly) {
    teller.write();
  } else {
    teller.write_call();
  }
}

// `quickly`: the program's code is to look at the shadow itself.
void rewrite(const Group& group, bool quickly) {
  if (group.members.size() == 1 && !group.members[0].hook.is_block)
    return rewrite_single(group.members[0].hook);
  const tree data = build_fold_addr_expr(data_of(group));
  gcall* const first = group.members[0].hook.call;
  const tree state = build2(MEM_REF, TREE_TYPE(mode()), data, build_int_cst(ptr_type_node, 0));
  TREE_THIS_VOLATILE(state) = TREE_SIDE_EFFECTS(state) = 1;
  const tree mode = load_mode_before(first);
  // (Nothing but whether they differ is looked at.)
  const tree apart = assign_before(first, byte_type(), BIT_XOR_EXPR, mode,
                                   assign_before(first, byte_type(), MEM_REF, state));
  std::size_t index = 0;
  for (const Group::Member& member : group.members) {
    const std::size_t arguments = member.hook.is_block ? 3 : 2;
    gcall* const call = replace(member.hook, member_hook(member.hook), arguments);
    if (&member != &group.members.back()) {
      guard(call, NE_EXPR, apart, 0, profile_probability::very_unlikely());
    } else {
      tell_at(call, group, data, apart, mode, quickly);
    }
    set_argument(call, 0, group.place_of(member));
    if (member.hook.is_block) gimple_call_set_arg(call, 1, number(member.hook.bytes));
    const std::size_t record = sizeof(snag::AccessGroup) + index * sizeof(snag::GroupMember);
    set_argument(call, arguments - 1, {data, static_cast<HOST_WIDE_INT>(record)});
    index += member.hook.records();
  }
}

bool is_function_hook(gimple* statement) {
  return gimple_call_builtin_p(statement, BUILT_IN_TSAN_FUNC_ENTRY) ||
         gimple_call_builtin_p(statement, BUILT_IN_TSAN_FUNC_EXIT);
}

// Only if anybody looks.
void guard_function_hooks(::function* function) {
  std::vector<gcall*> hooks;
  basic_block block;
  FOR_EACH_BB_FN(block, function) {
    for (auto i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
      if (is_function_hook(gsi_stmt(i))) hooks.push_back(as_a<gcall*>(gsi_stmt(i)));
    }
  }
  for (gcall* hook : hooks)
    guard(hook, NE_EXPR, load_mode_before(hook), snag::kHooksOff, profile_probability::likely());
}

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
    // Where another address is at hand that is a constant away, nobody wants these any more.
    simple_dce_from_worklist(addresses);
    free_dominance_info(CDI_DOMINATORS);
    mark_virtual_operands_for_renaming(function);
    return TODO_update_ssa_only_virtuals;
  }
};

}  // namespace

int plugin_init(plugin_name_args* arguments, plugin_gcc_version* version) {
  // The hooks are right as they are, they only cost more.
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
