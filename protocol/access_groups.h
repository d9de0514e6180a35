// What the compilers' plugins (plugins/) and the runtime agree on: groups of memory accesses.
//
// With -fsanitize=thread the compiler puts a call before every memory access. A program whose
// coverage is measured while it runs freely does not need that many: nothing orders the accesses
// between two calls, locks or atomics with those of other threads anyway, so one call can report
// all accesses of such a stretch of code. The plugins turn
//
//   __tsan_read8(a);              bool apart = group.state != __snag_hook_mode;
//   x = *a;                       if (apart) __snag_read8(a, &group.members[0]);
//   __tsan_write8(b);      into   x = *a;
//   *b = x;                       if (apart) __snag_write8(b, &group.members[1]);
//                                 else if (__snag_hook_mode == kHooksGrouped)
//                                   __snag_group2(&group.members[0], a, b);
//                                 *b = x;
//
// In loops and small functions the program's own code checks the shadow first (GroupMemo), and
// calls __snag_group2 only if the shadow differs from last time.
//
// Under control nothing changes: every access has its own hook, in its place. A measured program
// also uses the individual hooks the first time, which teaches the runtime each member's place;
// after that it reports the group. A program that is neither controlled nor measured calls nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/arch.h"  // kPlaneBit, kPlaneOffset: where the shadow of an address lies

namespace snag {

// The values of __snag_hook_mode.
inline constexpr std::uint8_t kHooksOff = 0, kHooksGrouped = 1, kHooksApart = 2;

// The hooks are extern "C". Those of members are like the compiler's (__tsan_read8, __tsan_memcpy,
// ...) but are called __snag_read8 and so on, and have a GroupMember* as an additional argument.
// void __snag_group<n>(GroupMember* next, void* base_1, ..., void* base_n) reports the members from
// `next` on.
inline constexpr std::size_t kMaxGroupBases = 5;  // in registers, with the member
inline constexpr std::size_t kMaxGroupMembers = 16;
// A function with at most this many members counts as small. Inline checks for all functions would
// make programs, and the time to compile them, several times as large.
inline constexpr std::size_t kMaxSmallFunction = 32;

// The plugins write these as constants (8-byte aligned, not read-only) into the program.
struct GroupMember {
  std::uint64_t pc;  // return address of its own hook; 0 until the runtime learns it
  std::int32_t offset;
  std::uint8_t base;   // of the group's addresses; the access is at base + offset
  std::uint8_t index;  // among the members
  std::uint8_t part;   // of a block of memory, from 1; 0: not of a block
  std::uint8_t flags;
};
inline constexpr std::uint8_t kMemberWrites = 1;  // else it reads
inline constexpr std::uint8_t kMemberIsHalf = 2;  // of a word: 4 bytes, else 8
struct AccessGroup {
  std::uint8_t state;  // kHooksOff; kHooksGrouped once all members are known
  std::uint8_t count;
  std::uint8_t bases;
  std::uint8_t only_reads;  // 0 until known
  std::uint32_t memo;       // offset of its GroupMemo in a thread's memos; 0 until known
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
// The members are known one by one; or they only read what other threads read too, and are known
// together (see CoverRead in runtime/cover/shadow_cells.h). Otherwise the runtime handles the whole
// group.
inline constexpr std::uint64_t kMemoKnown = 1, kMemoReads = 2;

// Everything that a group has read, hashed into one number: a sum in which each term has a factor
// of its own, so that differences do not cancel out. It is
//   (place ^ epoch) + sum of kGroupFactors[i] * shadow of member i, where
//   place = AccessGroup::memo + sum of kGroupFactors[kMaxGroupMembers + i] * base i
// and lies at reads[(AccessGroup::memo + sum of the bases) >> 3, its lower kReadsBits], so that
// groups that are read one after the other lie next to each other.
inline constexpr int kReadsBits = 15;
inline constexpr std::uint64_t kGroupFactors[kMaxGroupMembers + kMaxGroupBases] = {
    0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93,
    0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3,
    0x1d8e4e27c47d124f, 0xeb44accab455d165, 0x2545f4914f6cdd1d, 0x369dea0f31a53f85,
    0xdb4f0b9175ae2165, 0xf1357aea2e62a9c5, 0xc2b2ae3d27d4eb4f, 0x27d4eb2f165667c5,
    0x165667b19e3779f9, 0x85ebca77c2b2ae63, 0x61c8864680b583eb, 0xff51afd7ed558ccd,
    0xc4ceb9fe1a85ec53};

// What the program's code needs to know about its thread.
struct GroupThread {
  char* memos;           // for a thread not known yet: memos that never match
  std::uint64_t* reads;  // not for these
  std::uint64_t epoch;   // changes whenever the thread may have acquired what others did
};

}  // namespace snag

extern "C" {
extern std::uint8_t __snag_hook_mode;
extern constinit thread_local snag::GroupThread __snag_thread
    __attribute__((tls_model("initial-exec"), visibility("default")));
}
