// In place of Snag's runtime: writes down what a program's hooks tell of, words of 4 and 8 bytes
// one by one, and prints it. Mode 1: in groups, as soon as they are known; 2: by single hooks.
#include "tests/plugins/listener.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "protocol/access_groups.h"

using namespace snag;

std::uint8_t __snag_hook_mode = kHooksOff;

namespace {

// None is known: the program's code always calls.
char memos[64];

struct Access {
  char kind;
  unsigned long size;
  const void* address;
};
std::vector<Access>* accesses;
bool listens = false;
unsigned long groups = 0, members = 0, others = 0;

void note(bool writes, const void* address, unsigned long size) {
  if (listens) accesses->push_back({writes ? 'w' : 'r', size, address});
}
void note_block(bool writes, const void* address, unsigned long size) {
  const auto* at = static_cast<const char*>(address);
  for (; size >= 8; at += 8, size -= 8) note(writes, at, 8);
  if (size != 0) note(writes, at, size);
}

AccessGroup* group_of(GroupMember* member) {
  auto* first = reinterpret_cast<char*>(member - member->index);
  return reinterpret_cast<AccessGroup*>(first - sizeof(AccessGroup));
}

void know(GroupMember* first, unsigned long count) {
  ++members;
  if (__snag_hook_mode != kHooksGrouped) return;
  AccessGroup* group = group_of(first);
  if (first->index + count == group->count) group->state = kHooksGrouped;
}

}  // namespace

thread_local GroupThread __snag_thread{memos, nullptr, 0};

void listen(int mode) {
  __snag_hook_mode = static_cast<std::uint8_t>(mode);
  accesses = new std::vector<Access>;
}
void begin_listening() { listens = true; }
void print_accesses() {
  listens = false;
  std::printf("groups %lu members %lu others %lu\n", groups, members, others);
  for (const Access& each : *accesses)
    std::printf("%c%lu %p\n", each.kind, each.size, each.address);
}

extern "C" {

#define HOOKS(size)                                                     \
  void __tsan_read##size(void* a) {                                     \
    ++others;                                                           \
    note_block(false, a, size);                                         \
  }                                                                     \
  void __tsan_write##size(void* a) {                                    \
    ++others;                                                           \
    note_block(true, a, size);                                          \
  }                                                                     \
  void __tsan_unaligned_read##size(void* a) { __tsan_read##size(a); }   \
  void __tsan_unaligned_write##size(void* a) { __tsan_write##size(a); } \
  void __snag_read##size(void* a, GroupMember* member) {                \
    note_block(false, a, size);                                         \
    know(member, (size + 7) / 8);                                       \
  }                                                                     \
  void __snag_write##size(void* a, GroupMember* member) {               \
    note_block(true, a, size);                                          \
    know(member, (size + 7) / 8);                                       \
  }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(void* a, unsigned long size) { note_block(false, a, size); }
void __tsan_write_range(void* a, unsigned long size) { note_block(true, a, size); }
void __snag_read_range(void* a, unsigned long size, GroupMember* member) {
  note_block(false, a, size);
  know(member, (size + 7) / 8);
}
void __snag_write_range(void* a, unsigned long size, GroupMember* member) {
  note_block(true, a, size);
  know(member, (size + 7) / 8);
}
void* __tsan_memcpy(void* to, const void* from, unsigned long size) {
  note_block(false, from, size);
  note_block(true, to, size);
  return std::memcpy(to, from, size);
}
void* __tsan_memset(void* to, int value, unsigned long size) {
  note_block(true, to, size);
  return std::memset(to, value, size);
}
void* __snag_memcpy(void* to, const void* from, unsigned long size, GroupMember* member) {
  __tsan_memcpy(to, from, size);
  know(member, 2 * ((size + 7) / 8));
  return to;
}
void* __snag_memset(void* to, int value, unsigned long size, GroupMember* member) {
  __tsan_memset(to, value, size);
  know(member, (size + 7) / 8);
  return to;
}

void __snag_group5(GroupMember* next, char* a, char* b, char* c, char* d, char* e) {
  char* const bases[] = {a, b, c, d, e};
  const AccessGroup* group = group_of(next);
  if (__snag_hook_mode != kHooksGrouped || group->state != kHooksGrouped || next->index != 0)
    std::abort();
  ++groups;
  for (int i = 0; i < group->count; ++i) {
    const GroupMember& member = group->members[i];
    // (Whether they lie at words is asked of the bases alone.)
    if (member.index != i || member.base >= group->bases || member.offset % 4 != 0) std::abort();
    note((member.flags & kMemberWrites) != 0, bases[member.base] + member.offset,
         member.flags & kMemberIsHalf ? 4 : 8);
  }
}
#define GROUP(n)                                                        \
  void __snag_group##n(GroupMember*, char*, char*, char*, char*, char*) \
      __attribute__((alias("__snag_group5")));
GROUP(1)
GROUP(2)
GROUP(3)
GROUP(4)

void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_init() {}
}
