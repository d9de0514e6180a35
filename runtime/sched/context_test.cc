#include "runtime/sched/context.h"

#include <gtest/gtest.h>

namespace snag::rt {
namespace {

// As libc lays it out: a header, the links of a list, the id.
struct Descriptor {
  char header[0x2c0] = {};
  std::uint64_t next = 0, previous = 0;
  std::uint32_t id = 0;
  char rest[0x400] = {};
};

TEST(FindThreadId, IsBehindTheList) {
  Descriptor thread;
  thread.next = thread.previous = 0x7ffff7eb0a40;
  thread.id = 4711;
  EXPECT_EQ(find_thread_id(&thread, 4711), 0x2d0);
  EXPECT_EQ(find_thread_id(&thread, 4712), 0);
}

TEST(FindThreadId, IsNotTheUpperHalfOfAPointer) {
  Descriptor thread;
  for (const std::uint32_t id : {0x7fffu, 0x5555u}) {
    thread.next = thread.previous = std::uint64_t{id} << 32 | 0xf7eb0a40;
    thread.id = id;
    EXPECT_EQ(find_thread_id(&thread, id), 0x2d0);
  }
}

}  // namespace
}  // namespace snag::rt
