// Finds hooks that can be reported as a group, in a GCC function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "plugins/gcc/gcc_headers.h"
#include "protocol/access_groups.h"

namespace snag::plugins {

struct Hook {
  gcall* call;
  std::uint64_t bytes;
  bool writes;
  bool is_block;  // of memory, reported word by word

  tree address() const { return gimple_call_arg(call, 0); }
  // (Bytes and shorts have another kind of shadow.)
  bool can_be_member() const { return bytes >= 4; }
  std::size_t records() const { return (bytes + 7) / 8; }
};

// The runtime handles larger blocks.
constexpr std::uint64_t kMaxBlock = 64;

inline bool as_hook(gimple* statement, Hook* hook) {
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

// It may synchronise: publish what this thread did before it, or acquire what other threads did.
inline bool may_order_threads(gimple* statement) {
  if (gimple_code(statement) == GIMPLE_ASM) return true;
  if (!is_gimple_call(statement)) return false;
  const int flags = gimple_call_flags(statement);
  if (gimple_call_internal_p(statement)) return !(flags & (ECF_CONST | ECF_PURE));
  if (!gimple_call_builtin_p(statement)) return true;
  // (Some mathematical functions lack "const" only because they may set errno.)
  return !(flags & ECF_CONST) && !mathfn_built_in_type(gimple_call_combined_fn(statement));
}

// An address, or a number that becomes one, as an origin and a distance from it.
struct Place {
  tree base;
  HOST_WIDE_INT offset;
};

// Where a hook's address comes from. The far origin, as far back as it can be followed, shows which
// members share a base. The near origin is the first one on that way that exists before the block,
// so that using it at the end of the block does not extend any lifetime.
struct Origin {
  Place far, near;
};

inline bool is_offset(HOST_WIDE_INT distance) {
  return distance == static_cast<std::int32_t>(distance);
}

inline bool is_copied_by_edges(tree value) {
  return TREE_CODE(value) == SSA_NAME && SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value);
}

inline bool is_wide_as_pointer(tree value) {
  const tree type = TREE_TYPE(value);
  return (POINTER_TYPE_P(type) || INTEGRAL_TYPE_P(type)) && TYPE_PRECISION(type) == POINTER_SIZE;
}

// One step back; false if there is none.
inline bool step_back(Place* place) {
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

inline Origin origin_of(const Hook& hook) {
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
  // Only the bases are checked for word alignment.
  if (origin.far.offset % 4 != 0 || origin.near.offset % 4 != 0)
    return {{address, 0}, {address, 0}};
  return origin;
}

// Hooks that are reported as a group.
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

  // Returns false if there is no room for it.
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

  // The block that follows this one exactly once on every path, if no path to it reports anything.
  basic_block following(basic_block block) {
    const basic_block next = get_immediate_dominator(CDI_POST_DOMINATORS, block);
    if (!next || next->index < NUM_FIXED_BLOCKS || done_.count(next) ||
        !dominated_by_p(CDI_DOMINATORS, next, block))
      return nullptr;
    std::set<basic_block> between;
    const bool is_quiet_between = walk(block, [&](edge each, bool* goes_on) {
      const basic_block one = each->dest;
      if (each->flags & (EDGE_ABNORMAL | EDGE_EH)) return false;
      if (one == next || !between.insert(one).second) return true;
      *goes_on = true;
      return one != block && between.size() <= kMaxBetween && is_quiet(one);
    });
    return is_quiet_between && !comes_back(next, block) ? next : nullptr;
  }

  // Whether the block may be executed again without the other one in between.
  static bool comes_back(basic_block block, basic_block without) {
    std::set<basic_block> seen;
    return !walk(block, [&](edge each, bool* goes_on) {
      *goes_on = each->dest != without && seen.insert(each->dest).second;
      return each->dest != block && seen.size() <= kMaxAround;
    });
  }

  // Visits the edges that leave the block, and those of each destination for which `visit` sets
  // `goes_on`. Stops when `visit` returns false.
  template <class Visit>
  static bool walk(basic_block block, Visit visit) {
    std::vector<basic_block> to_do{block};
    while (!to_do.empty()) {
      const basic_block from = to_do.back();
      to_do.pop_back();
      edge each;
      edge_iterator i;
      FOR_EACH_EDGE(each, i, from->succs) {
        bool goes_on = false;
        if (!visit(each, &goes_on)) return false;
        if (goes_on) to_do.push_back(each->dest);
      }
    }
    return true;
  }

  static bool is_quiet(basic_block block) {
    Hook ignored;
    for (auto i = gsi_start_bb(block); !gsi_end_p(i); gsi_next(&i)) {
      if (as_hook(gsi_stmt(i), &ignored) || may_order_threads(gsi_stmt(i))) return false;
    }
    return true;
  }

  // Examines at most this many blocks; beyond that it assumes the worst.
  static constexpr std::size_t kMaxBetween = 16, kMaxAround = 256;
  std::set<basic_block> done_;
  std::vector<Group> groups_;
  Group group_;
};

}  // namespace snag::plugins
