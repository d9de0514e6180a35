// What the compilers' plugins (instrument/) and the runtime agree on: groups of memory accesses.
//
// With -fsanitize=thread the compiler puts a call before every memory access. A program whose
// coverage is measured while it runs freely does not need that many: what happens between two
// calls, locks or atomics happens with no order among threads anyhow, so that one call can tell of
// all accesses of a stretch of code without them. The plugins turn
//
//   __tsan_read8(a);              bool apart = group.state != __snag_hook_mode;
//   x = *a;                       if (apart) __snag_read8(a, &group.members[0]);
//   __tsan_write8(b);      into   x = *a;
//   *b = x;                       if (apart) __snag_write8(b, &group.members[1]);
//                                 else if (__snag_hook_mode == kHooksGrouped)
//                                   __snag_group2(&group.members[0], a, b);
//                                 *b = x;
//
// where in loops and small functions the program's own code looks at the shadow first (GroupMemo),
// and calls the last one only if it is not as it was the last time.
//
// Under control nothing changes: every access has its own hook, in its place. In a covered run the
// first time is so, too, and tells the runtime the place of each member, which is that of its own
// hook. After that the group stands for them. In a program that nobody looks at nothing is called.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/arch.h"  // kPlaneBit, kPlaneOffset: where the shadow of an address lies

namespace snag {

// The values of __snag_hook_mode.
inline constexpr std::uint8_t kHooksOff = 0, kHooksGrouped = 1, kHooksApart = 2;

// The hooks are extern "C". Those of members are as the compiler's (__tsan_read8, __tsan_memcpy,
// ...), but __snag_read8 and so on, and have a GroupMember* as one more argument. And void
// __snag_group<n>(GroupMember* next, void* base_1, ..., void* base_n) goes on from a member.
inline constexpr std::size_t kMaxGroupBases = 5;  // in registers, with the member
inline constexpr std::size_t kMaxGroupMembers = 16;
// A function with so many members is small. Code for all would make programs several times as
// large, and compilers as slow.
inline constexpr std::size_t kMaxSmallFunction = 32;

// The plugins write these as constants (8-byte aligned, not read-only) into the program.
struct GroupMember {
  std::uint64_t pc;  // where its own hook returns to, as the runtime learned; first 0
  std::int32_t offset;
  std::uint8_t base;   // of the group's addresses; the access is at base + offset
  std::uint8_t index;  // among the members
  std::uint8_t part;   // of a block of memory, from 1; 0: it is of none
  std::uint8_t flags;
};
inline constexpr std::uint8_t kMemberWrites = 1;  // else it reads
inline constexpr std::uint8_t kMemberIsHalf = 2;  // of a word: 4 bytes, else 8
struct AccessGroup {
  std::uint8_t state;  // kHooksOff, and when all members are known kHooksGrouped
  std::uint8_t count;
  std::uint8_t bases;
  std::uint8_t only_reads;  // first 0
  std::uint32_t memo;       // where among a thread's memos its GroupMemo is; first 0
  GroupMember members[];
};
static_assert(sizeof(GroupMember) == 16 && sizeof(AccessGroup) == 8);

// How a thread's last access as this member changed the shadow.
struct MemberMemo {
  std::uint64_t from, to;  // of 4 bytes only the lower half counts
};
struct GroupMemo {
  std::uint64_t state;
  std::uint64_t reserved;
  MemberMemo members[];
};
// The members are known; or they are reads of what others read, too, which are known together (see
// CoverRead in runtime/cover/shadow_cells.h). Else the runtime has to see to all of it.
inline constexpr std::uint64_t kMemoKnown = 1, kMemoReads = 2;

// What a group has read, all of it in a number: a sum of everything, each times a number of its
// own, so that nothing makes up for anything else. It is
//   (place ^ epoch) + sum of kGroupFactors[i] * shadow of member i, where
//   place = AccessGroup::memo + sum of kGroupFactors[kMaxGroupMembers + i] * base i
// and lies at reads[(AccessGroup::memo + sum of the bases) >> 3, its lower kReadsBits], so that
// what is read one after the other lies so, too.
inline constexpr int kReadsBits = 15;
inline constexpr std::uint64_t kGroupFactors[kMaxGroupMembers + kMaxGroupBases] = {
    0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93,
    0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3,
    0x1d8e4e27c47d124f, 0xeb44accab455d165, 0x2545f4914f6cdd1d, 0x369dea0f31a53f85,
    0xdb4f0b9175ae2165, 0xf1357aea2e62a9c5, 0xc2b2ae3d27d4eb4f, 0x27d4eb2f165667c5,
    0x165667b19e3779f9, 0x85ebca77c2b2ae63, 0x61c8864680b583eb, 0xff51afd7ed558ccd,
    0xc4ceb9fe1a85ec53};

// What the program's code has to know of its thread.
struct GroupThread {
  char* memos;           // of a thread that is not known yet some that never are, either
  std::uint64_t* reads;  // not for these
  std::uint64_t epoch;   // another one whenever it may have learned of what others did
};

}  // namespace snag

extern "C" {
extern std::uint8_t __snag_hook_mode;
extern constinit thread_local snag::GroupThread __snag_thread
    __attribute__((tls_model("initial-exec"), visibility("default")));
}
