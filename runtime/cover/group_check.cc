#include "runtime/cover/group_check.h"

#include <atomic>

#include "runtime/cover/cover.h"
#include "runtime/cover/inline_cache.h"

[[gnu::tls_model("initial-exec")]] constinit thread_local snag::GroupThread __snag_thread{
    snag::rt::no_memos, nullptr, /*epoch=*/1};

namespace snag::rt {

alignas(64) constinit char no_memos[kCoverMemos]{};

namespace {

// The first bytes are of groups for which there is no room.
constinit std::atomic<std::uint32_t> next_memo{sizeof(GroupMemo)};

AccessGroup* group_of(const GroupMember* member) {
  const auto first = reinterpret_cast<std::uint64_t>(member - member->index);
  return reinterpret_cast<AccessGroup*>(first - sizeof(AccessGroup));
}

std::uint32_t new_memo(std::uint32_t members) {
  const std::uint32_t size = sizeof(GroupMemo) + members * sizeof(MemberMemo);
  if (next_memo.load(std::memory_order_relaxed) > kCoverMemos - size) return 0;
  const std::uint32_t memo = next_memo.fetch_add(size, std::memory_order_relaxed);
  return memo <= kCoverMemos - size ? memo : 0;
}

// This thread's; null: there is no room, or the thread is not known yet.
GroupMemo* memo_of(const AccessGroup* group) {
  if (group->memo == 0 || !cover_thread.memory) return nullptr;
  auto* memo = reinterpret_cast<GroupMemo*>(cover_thread.memory->memos + group->memo);
  if (memo->state == 0) {
    for (std::uint32_t i = 0; i < group->count; ++i) memo->members[i] = {kNoWords, kNoWords};
    asm volatile("" ::: "memory");
    memo->state = kMemoKnown;
  }
  return memo;
}

[[gnu::always_inline]] inline std::uint64_t address_of(const GroupMember* member,
                                                       const std::uint64_t* bases) {
  return bases[member->base] + static_cast<std::int64_t>(member->offset);
}

// Where a thread's cache has a member, and its key there.
struct CoverPlace {
  const CoverEntry* entry;
  std::uint64_t tag;
};
[[gnu::always_inline]] inline CoverPlace place_of(const GroupMember* member, std::uint32_t kind) {
  if (member->part == 0 || !cover_thread.memory) return {cover_entry(member->pc), member->pc};
  const std::uint32_t part = member->part - 1;
  return {range_entry(cover_thread.memory, member->pc, kind, part),
          range_tag(member->pc, kind, part)};
}

// How a member changed its shadow.
enum class Shadow { kChanged, kAsLeft, kReadBefore };

// Like the hot path of runtime/cover/shadow_cells.h, but also stores what it finds in the memo, for
// the program's own code to check next time.
template <class Words>
[[gnu::always_inline]] inline Shadow cover_member(const GroupMember* member, std::uint64_t address,
                                                  MemberMemo* memo, std::uint64_t* left) {
  const std::uint32_t kind = member->flags & kMemberWrites ? kWrites : kReads;
  const CoverPlace place = place_of(member, kind);
  const CoverEntry* entry = place.entry;
  auto* cell = reinterpret_cast<Words*>(cover_shadow(address));
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  *left = found;
  if (__builtin_expect(entry->pc == place.tag && (address & 3) == 0, 1)) {
    for (const auto& change : entry->changes) {
      const std::uint64_t to = change.to;
      asm volatile("" ::: "memory");  // in this order, see cover_known
      const std::uint64_t from = change.from;
      asm volatile("" ::: "memory");
      if (entry->pc != place.tag) break;
      if (found == static_cast<Words>(from)) {
        __atomic_store_n(cell, static_cast<Words>(to), __ATOMIC_RELAXED);
        set_change(*memo, found, to);
        return Shadow::kChanged;
      }
      if (found == static_cast<Words>(to)) {
        set_change(*memo, from, found);
        return Shadow::kAsLeft;
      }
    }
  }
  // (Not for megamorphic instructions: see kMegamorphic.)
  if (kind == kReads && (entry->pc & ~kReadsFirst) == place.tag &&
      cover_known_read<Words>(entry, address, found))
    return Shadow::kReadBefore;
  auto* pointer = reinterpret_cast<void*>(address);
  if (member->part != 0) {
    cover_part(pointer, sizeof(Words), kind, member->pc, member->part - 1u);
  } else if (entry->pc == (place.tag | kMegamorphic)) {
    cover_megamorphic<sizeof(Words)>(pointer, kind, member->pc);
  } else {
    cover_slow_path<sizeof(Words)>(pointer, kind, member->pc);
  }
  return Shadow::kChanged;
}

[[gnu::always_inline]] inline Shadow cover_member(const GroupMember* member, std::uint64_t address,
                                                  MemberMemo* memo, std::uint64_t* left) {
  return member->flags & kMemberIsHalf ? cover_member<std::uint32_t>(member, address, memo, left)
                                       : cover_member<std::uint64_t>(member, address, memo, left);
}

// ---- Groups that only read what other threads read, too: see kMemoReads. ----

struct GroupReading {
  CoverRead* at;
  std::uint64_t sum;
};

[[gnu::always_inline]] inline GroupReading begin_reading(const AccessGroup* group,
                                                         const std::uint64_t* bases) {
  std::uint64_t place = group->memo, sum = place;
  for (std::uint32_t i = 0; i < group->bases; ++i) {
    place += bases[i] * kGroupFactors[kMaxGroupMembers + i];
    sum += bases[i];
  }
  const std::uint64_t slot = sum >> 3 & ((1 << kReadsBits) - 1);
  return {&cover_thread.memory->group_reads[slot], place ^ __snag_thread.epoch};
}

void cover_reads(const AccessGroup* group, GroupMemo* memo, const std::uint64_t* bases) {
  GroupReading reading = begin_reading(group, bases);
  bool all_left = true;
  for (std::uint32_t i = 0; i < group->count; ++i) {
    const GroupMember* member = &group->members[i];
    std::uint64_t left;
    if (cover_member(member, address_of(member, bases), &memo->members[i], &left) ==
        Shadow::kChanged)
      all_left = false;
    reading.sum += left * kGroupFactors[i];
  }
  // (Otherwise there is new data to read, perhaps for a while.)
  if (all_left) {
    *reading.at = reading.sum;
  } else {
    memo->state = kMemoKnown;
  }
}

// What the program's own code does in loops (see protocol/access_groups.h). Elsewhere it saves
// looking for the member's entry.
template <class Words>
[[gnu::always_inline]] inline bool apply_memo(std::uint64_t address, const MemberMemo& memo,
                                              bool* all_left) {
  auto* cell = reinterpret_cast<Words*>(cover_shadow(address));
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  const auto to = static_cast<Words>(__atomic_load_n(&memo.to, __ATOMIC_RELAXED));
  asm volatile("" ::: "memory");
  if (found == to) return true;
  if (found != static_cast<Words>(__atomic_load_n(&memo.from, __ATOMIC_RELAXED))) return false;
  // (A signal handler may have used the memo.)
  asm volatile("" ::: "memory");
  if (to != static_cast<Words>(__atomic_load_n(&memo.to, __ATOMIC_RELAXED))) return false;
  __atomic_store_n(cell, to, __ATOMIC_RELAXED);
  *all_left = false;
  return true;
}

// From the member `next` on.
[[gnu::noinline]] void cover_each(const AccessGroup* group, std::uint32_t next,
                                  const std::uint64_t* bases) {
  GroupMemo* memo = memo_of(group);
  if (memo && memo->state == kMemoReads && next == 0) return cover_reads(group, memo, bases);
  MemberMemo nobodys;
  bool all_left = true, read_before = false;
  for (std::uint32_t i = next; i < group->count; ++i) {
    const GroupMember* member = &group->members[i];
    const std::uint64_t address = address_of(member, bases);
    if (memo && (address & 3) == 0) {
      const bool done = member->flags & kMemberIsHalf
                            ? apply_memo<std::uint32_t>(address, memo->members[i], &all_left)
                            : apply_memo<std::uint64_t>(address, memo->members[i], &all_left);
      if (done) continue;
    }
    std::uint64_t left;
    const Shadow shadow = cover_member(member, address, memo ? &memo->members[i] : &nobodys, &left);
    all_left = all_left && shadow != Shadow::kChanged;
    read_before = read_before || shadow == Shadow::kReadBefore;
  }
  if (memo && read_before && all_left && group->only_reads) memo->state = kMemoReads;
}

}  // namespace

void know_members(GroupMember* first, std::uint64_t count, std::uint64_t pc) {
  for (std::uint64_t i = 0; i < count; ++i) __atomic_store_n(&first[i].pc, pc, __ATOMIC_RELAXED);
  AccessGroup* group = group_of(first);
  if (first->index + count != group->count) return;
  bool writes = false;
  for (std::uint32_t i = 0; i < group->count; ++i) {
    const GroupMember& member = group->members[i];
    if (__atomic_load_n(&member.pc, __ATOMIC_RELAXED) == 0) return;
    writes = writes || (member.flags & kMemberWrites) != 0;
  }
  group->only_reads = writes ? 0 : 1;
  std::uint32_t none = 0;
  __atomic_compare_exchange_n(&group->memo, &none, new_memo(group->count), false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  __atomic_store_n(&group->state, kHooksGrouped, __ATOMIC_RELEASE);
}

void cover_members(const GroupMember* next, const std::uint64_t* bases) {
  const AccessGroup* group = group_of(next);
  // (This is the usual case where a group follows a pointer that it has just read.)
  if (next->index + 1 == group->count && next->part == 0 &&
      cover_entry(next->pc)->pc == (next->pc | kMegamorphic)) {
    auto* address = reinterpret_cast<void*>(address_of(next, bases));
    const std::uint32_t kind = next->flags & kMemberWrites ? kWrites : kReads;
    if (next->flags & kMemberIsHalf) return cover_megamorphic<4>(address, kind, next->pc);
    return cover_megamorphic<8>(address, kind, next->pc);
  }
  cover_each(group, next->index, bases);
}

}  // namespace snag::rt
