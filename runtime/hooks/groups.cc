// Implements runtime/hooks/access.h: the hooks for accesses in groups, see
// protocol/access_groups.h.
#include "runtime/hooks/access.h"

using namespace snag;
using namespace snag::rt;

template <std::uint64_t size, bool write>
[[gnu::always_inline]] inline void member_access(void* address, GroupMember* member,
                                                 std::uint64_t pc) {
  plain_access<size, write>(address, pc);
  may_know(member, 1, size, pc);
}
#define SNAG_MEMBER_HOOKS(size)                                     \
  SNAG_HOOK void __snag_read##size(void* a, GroupMember* member) {  \
    member_access<size, false>(a, member, SNAG_PC);                 \
  }                                                                 \
  SNAG_HOOK void __snag_write##size(void* a, GroupMember* member) { \
    member_access<size, true>(a, member, SNAG_PC);                  \
  }
SNAG_MEMBER_HOOKS(4)
SNAG_MEMBER_HOOKS(8)
SNAG_MEMBER_HOOKS(16)

SNAG_HOOK void __snag_read_range(void* a, unsigned long size, GroupMember* member) {
  range_access(a, size, false, SNAG_PC);
  may_know(member, 1, size, SNAG_PC);
}
SNAG_HOOK void __snag_write_range(void* a, unsigned long size, GroupMember* member) {
  range_access(a, size, true, SNAG_PC);
  may_know(member, 1, size, SNAG_PC);
}
// (Called with as many addresses as the name says; the other parameters are undefined and unused.)
SNAG_HOOK void __snag_group5(GroupMember* next, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                             std::uint64_t d, std::uint64_t e) {
  const std::uint64_t bases[kMaxGroupBases] = {a, b, c, d, e};
  cover_members(next, bases);
}
#define SNAG_GROUP_HOOK(n)                                                                  \
  SNAG_HOOK void __snag_group##n(GroupMember*, std::uint64_t, std::uint64_t, std::uint64_t, \
                                 std::uint64_t, std::uint64_t)                              \
      __attribute__((alias("__snag_group5")));
SNAG_GROUP_HOOK(1)
SNAG_GROUP_HOOK(2)
SNAG_GROUP_HOOK(3)
SNAG_GROUP_HOOK(4)
