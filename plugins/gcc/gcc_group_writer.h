// Inserts the code that reports groups of hooks into a GCC function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plugins/gcc/gcc_group_finder.h"

namespace snag::plugins {

// Declarations in the program. They are kept here so that GCC's garbage collector finds them.
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
inline tree declarations[kDeclarations];

inline tree byte_type() { return unsigned_char_type_node; }
inline tree byte(std::uint8_t value) { return build_int_cst(byte_type(), value); }

inline tree mode() {
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

inline tree long_type() { return long_unsigned_type_node; }
inline tree number(std::uint64_t value) { return build_int_cstu(long_type(), value); }

// GroupThread, of which all members are as wide as a pointer.
inline tree of_thread(std::size_t offset) {
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

inline tree function(std::size_t which, const std::string& name, std::size_t arguments) {
  tree& function = declarations[which];
  if (!function) {
    std::vector<tree> types(arguments, ptr_type_node);
    if (which == kReadRange || which == kWriteRange) types[1] = long_type();
    function = build_fn_decl(name.c_str(),
                             build_function_type_array(void_type_node, arguments, types.data()));
    TREE_NOTHROW(function) = 1;
    // It neither calls back nor jumps, so it needs no edges for that.
    DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  }
  return function;
}

inline tree group_hook(std::size_t bases) {
  return function(kGroupHooks + bases - 1, "__snag_group" + std::to_string(bases), 1 + bases);
}

// Like the compiler's, with an additional argument.
inline tree member_hook(const Hook& hook) {
  const std::string name = hook.writes ? "__snag_write" : "__snag_read";
  if (hook.is_block) return function(hook.writes ? kWriteRange : kReadRange, name + "_range", 3);
  const std::size_t which = kMemberHooks + (hook.writes ? std::size_t{kMemberSizes} : 0);
  return function(which + exact_log2(hook.bytes), name + std::to_string(hook.bytes), 2);
}

// The AccessGroup.
inline tree data_of(const Group& group) {
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

// Inserts a statement before another one, with the same source location.
inline tree assign_before(gimple* next, tree type, tree_code code, tree first,
                          tree second = NULL_TREE) {
  gassign* const assign = gimple_build_assign(make_ssa_name(type), code, first, second);
  gimple_set_location(assign, gimple_location(next));
  gimple_stmt_iterator before = gsi_for_stmt(next);
  gsi_insert_before(&before, assign, GSI_SAME_STMT);
  return gimple_assign_lhs(assign);
}

inline tree load_mode_before(gimple* next) {
  return assign_before(next, byte_type(), VAR_DECL, mode());
}

// Converts the value to a pointer that can be an argument of a call.
inline tree pointer_before(gimple* call, const Place& place) {
  const tree pointer = fold_convert(ptr_type_node, place.base);
  gimple_stmt_iterator before = gsi_for_stmt(call);
  return force_gimple_operand_gsi(
      &before, place.offset ? fold_build_pointer_plus_hwi(pointer, place.offset) : pointer, true,
      NULL_TREE, true, GSI_SAME_STMT);
}

// Makes an existing call conditional.
inline void guard(gcall* call, tree_code code, tree left, std::uint8_t right,
                  profile_probability taken) {
  gcond* const condition = gimple_build_cond(code, left, byte(right), NULL_TREE, NULL_TREE);
  gimple_set_location(condition, gimple_location(call));
  const basic_block apart = insert_cond_bb(gimple_bb(call), call, condition, taken);
  gimple_stmt_iterator from = gsi_for_stmt(call);
  gsi_move_to_bb_end(&from, apart);
}

// A call whose arguments are set later, when it is known where they are needed.
inline gcall* build_call(tree function, std::size_t arguments, location_t location) {
  auto_vec<tree> nothing;
  for (std::size_t i = 0; i < arguments; ++i) nothing.safe_push(null_pointer_node);
  gcall* const call = gimple_build_call_vec(function, nothing);
  gimple_set_location(call, location);
  return call;
}

inline void set_argument(gcall* call, unsigned index, const Place& place) {
  gimple_call_set_arg(call, index, pointer_before(call, place));
  update_stmt(call);
}

// Takes the hook's place and keeps its source location, by which the runtime finds the source.
inline gcall* replace(const Hook& hook, tree function, std::size_t arguments) {
  gcall* const call = build_call(function, arguments, gimple_location(hook.call));
  gimple_stmt_iterator at = gsi_for_stmt(hook.call);
  gsi_insert_before(&at, call, GSI_SAME_STMT);
  unlink_stmt_vdef(hook.call);
  gsi_remove(&at, true);
  release_defs(hook.call);
  return call;
}

inline void rewrite_single(const Hook& hook) {
  const tree address = hook.address();
  gcall* const call = replace(hook, gimple_call_fndecl(hook.call), 1);
  guard(call, NE_EXPR, load_mode_before(call), snag::kHooksOff, profile_probability::likely());
  set_argument(call, 0, {address, 0});
}

// A value in memory. (Of type char, which may alias anything.)
inline tree at(tree type, tree pointer, std::size_t offset = 0) {
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

// Checks the shadow of each member, and changes it as this thread did last time. If a shadow word
// differs from last time, the runtime continues from that member.
class Teller {
 public:
  // Between the blocks `begin`, which is empty, and `end`.
  Teller(const Group& group, tree data, basic_block begin, basic_block end, location_t location)
      : group_(group), data_(data), flow_(begin, location), end_(end) {
    flow_.write_to(begin);
  }

  // Only calls the runtime.
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
  // The record from which the runtime continues, if control gets there.
  void comes_from_here(std::size_t index) {
    // (It may have moved, since it may have had to grow.)
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
    // (Times 8: the lower bits are 0.)
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

  // The word as it was before last time's change gets the new value; the new value itself stays.
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

// The last member: behind it, one call reports the whole group.
inline void tell_at(gcall* last, const Group& group, tree data, tree apart, tree mode,
                    bool quickly) {
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

// `quickly`: the program's own code checks the shadow.
inline void rewrite(const Group& group, bool quickly) {
  if (group.members.size() == 1 && !group.members[0].hook.is_block)
    return rewrite_single(group.members[0].hook);
  const tree data = build_fold_addr_expr(data_of(group));
  gcall* const first = group.members[0].hook.call;
  const tree state = build2(MEM_REF, TREE_TYPE(mode()), data, build_int_cst(ptr_type_node, 0));
  TREE_THIS_VOLATILE(state) = TREE_SIDE_EFFECTS(state) = 1;
  const tree mode = load_mode_before(first);
  // (Only checks whether they differ.)
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

inline bool is_function_hook(gimple* statement) {
  return gimple_call_builtin_p(statement, BUILT_IN_TSAN_FUNC_ENTRY) ||
         gimple_call_builtin_p(statement, BUILT_IN_TSAN_FUNC_EXIT);
}

// Only if hooks are on.
inline void guard_function_hooks(::function* function) {
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

}  // namespace snag::plugins
