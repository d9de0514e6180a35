// Implements runtime/hooks/access.h: memcpy and its kin. g++ calls them through the linker's
// --wrap, clang through the __tsan_ names.
#include "runtime/hooks/access.h"

using namespace snag;
using namespace snag::rt;

extern "C" void* __real_memcpy(void*, const void*, std::size_t);
extern "C" void* __real_memmove(void*, const void*, std::size_t);
extern "C" void* __real_memset(void*, int, std::size_t);

#define SNAG_MEMORY_HOOKS(prefix)                                                 \
  SNAG_HOOK void* prefix##memcpy(void* to, const void* from, std::size_t size) {  \
    range_access(from, size, false, SNAG_PC);                                     \
    range_access(to, size, true, SNAG_PC);                                        \
    return __real_memcpy(to, from, size);                                         \
  }                                                                               \
  SNAG_HOOK void* prefix##memmove(void* to, const void* from, std::size_t size) { \
    range_access(from, size, false, SNAG_PC);                                     \
    range_access(to, size, true, SNAG_PC);                                        \
    return __real_memmove(to, from, size);                                        \
  }                                                                               \
  SNAG_HOOK void* prefix##memset(void* to, int value, std::size_t size) {         \
    range_access(to, size, true, SNAG_PC);                                        \
    return __real_memset(to, value, size);                                        \
  }
SNAG_MEMORY_HOOKS(__wrap_)
SNAG_MEMORY_HOOKS(__tsan_)

// Of members of groups.
SNAG_HOOK void* __snag_memcpy(void* to, const void* from, std::size_t size, GroupMember* member) {
  range_access(from, size, false, SNAG_PC);
  range_access(to, size, true, SNAG_PC);
  may_know(member, 2, size, SNAG_PC);
  return __real_memcpy(to, from, size);
}
SNAG_HOOK void* __snag_memmove(void* to, const void* from, std::size_t size, GroupMember* member) {
  range_access(from, size, false, SNAG_PC);
  range_access(to, size, true, SNAG_PC);
  may_know(member, 2, size, SNAG_PC);
  return __real_memmove(to, from, size);
}
SNAG_HOOK void* __snag_memset(void* to, int value, std::size_t size, GroupMember* member) {
  range_access(to, size, true, SNAG_PC);
  may_know(member, 1, size, SNAG_PC);
  return __real_memset(to, value, size);
}
