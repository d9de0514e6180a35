#include "runtime/detect/heap/heap.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <string.h>

#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "runtime/sched/world_for_test.h"

namespace snag::rt {
namespace {

constexpr std::uint64_t kPc = HandMadeWorld::kCode + 100;

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

int global_variable;

// A run of three threads, of which 0 is the current one.
class Heap : public testing::Test {
 protected:
  Heap()
      : world_([](Config& config) {
          config = {};
          config.settings.heap_checks = 1;
        }) {
    heap_observer()->init(&HandMadeWorld::shared());
    begin_run();
  }
  ~Heap() override {
    points = Points::kSync;
    controlled = false;
  }

  void begin_run() {
    world_.begin_run();
    heap_observer()->begin_run(&HandMadeWorld::shared(), true);
    world_.add_thread(0);
    world_.add_thread(0);
  }

  static char* allocate(std::size_t size, std::size_t alignment = 16, bool zeroed = false) {
    return static_cast<char*>(heap_allocate(size, alignment, zeroed, kPc));
  }
  static void give_back(void* block) { EXPECT_TRUE(heap_free(block, kPc, false)); }

  static const HeapReport& report() { return HandMadeWorld::shared().run.heap; }

  // What the checks say; report() has the rest.
  static HeapError of_access(const char* at, std::uint64_t size, bool write = false) {
    return error_of([=] { heap_check(at, size, write, kPc); });
  }
  static HeapError of_free(void* block) {
    return error_of([=] { heap_free(block, kPc, false); });
  }

  HandMadeWorld world_;

 private:
  template <class Function>
  static HeapError error_of(const Function& function) {
    HandMadeWorld::shared().run.heap = {};
    const bool ended = ends_run(function);
    EXPECT_EQ(ended, report().error != HeapError::kNone);
    if (ended) {
      EXPECT_EQ(last_end().kind, FailureKind::kHeap);
    }
    return report().error;
  }
};

struct Shape {
  std::size_t size, alignment;
};
std::vector<Shape> shapes() {
  std::vector<Shape> result;
  for (const std::size_t size :
       {0,  1,  7,   8,   9,    15,   16,   17,   31,      48,        49,
        96, 97, 511, 512, 4095, 4096, 4500, 5000, 100'000, 5'000'000, 17'000'000}) {
    for (const std::size_t alignment : {16, 64, 4096}) result.push_back({size, alignment});
  }
  return result;
}

std::string text_of(const Shape& shape) {
  return std::to_string(shape.size) + " bytes at a multiple of " + std::to_string(shape.alignment);
}

TEST_F(Heap, ABlockEndsWhereItEnds) {
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(text_of(shape));
    const auto size = static_cast<std::int64_t>(shape.size);
    char* const block = allocate(shape.size, shape.alignment);
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(address_of(block) % shape.alignment, 0u);
    EXPECT_EQ(heap_block_size(address_of(block)), shape.size);
    struct {
      std::int64_t at, size, distance;
    } const wrong[] = {{-1, 1, -1},  {-8, 8, -8},      {-1, 2, -1},      {size, 1, 0},
                       {size, 8, 0}, {size - 1, 2, 0}, {size + 7, 1, 7}, {0, size + 1, 0}};
    for (const auto& access : wrong) {
      SCOPED_TRACE(std::to_string(access.size) + " at " + std::to_string(access.at));
      ASSERT_EQ(of_access(block + access.at, static_cast<std::uint64_t>(access.size), true),
                HeapError::kOutOfBounds);
      if (size == 0 && access.at < 0) continue;  // the same byte is before it and behind
      EXPECT_EQ(report().distance, access.distance);
      EXPECT_EQ(report().memory.begin, address_of(block));
      EXPECT_EQ(report().memory.size, shape.size);
      EXPECT_FALSE(report().memory.is_freed);
      EXPECT_TRUE(report().access.write);
      EXPECT_EQ(report().access.address, address_of(block + access.at));
      EXPECT_FALSE(heap_range_is_fine(block + access.at, static_cast<std::uint64_t>(access.size)));
    }
    if (size > 0) {
      EXPECT_EQ(of_access(block, 1), HeapError::kNone);
      EXPECT_EQ(of_access(block + size - 1, 1), HeapError::kNone);
      EXPECT_EQ(of_access(block, shape.size), HeapError::kNone);
    }
    give_back(block);
  }
}

TEST_F(Heap, EveryByteOfAFreedBlockIsFreed) {
  for (const Shape& shape : shapes()) {
    if (shape.size > 5'000'000) continue;  // is given back at once
    SCOPED_TRACE(text_of(shape));
    char* const block = allocate(shape.size, shape.alignment);
    HandMadeWorld::become(1);
    give_back(block);
    HandMadeWorld::become(2);
    for (const std::size_t at : {std::size_t{0}, shape.size / 2, shape.size - 1}) {
      if (shape.size == 0) continue;
      ASSERT_EQ(of_access(block + at, 1), HeapError::kUseAfterFree) << at;
      EXPECT_EQ(report().memory.begin, address_of(block));
      EXPECT_EQ(report().memory.size, shape.size);
      EXPECT_EQ(report().memory.thread, 0);
      EXPECT_EQ(report().memory.free_thread, 1);
      EXPECT_EQ(report().access.thread, 2);
      EXPECT_EQ(report().distance, static_cast<std::int64_t>(at));
      EXPECT_TRUE(heap_is_freed(block + at));
    }
    EXPECT_TRUE(heap_is_freed(block));  // also of an empty one
    EXPECT_EQ(of_access(block - 1, 1), HeapError::kOutOfBounds);
    EXPECT_EQ(of_free(block), HeapError::kDoubleFree);
    EXPECT_EQ(report().memory.free_thread, 1);
    EXPECT_EQ(report().access.thread, 2);
    EXPECT_EQ(heap_block_size(address_of(block)), 0u);
    HandMadeWorld::become(0);
  }
}

TEST_F(Heap, OnlyTheBeginOfABlockCanBeFreed) {
  char* const block = allocate(100);
  for (const int at : {1, 8, 16, 96, 99}) {
    EXPECT_EQ(of_free(block + at), HeapError::kBadFree) << at;
    EXPECT_EQ(report().distance, at);
    EXPECT_EQ(report().memory.begin, address_of(block));
  }
  EXPECT_EQ(of_free(block + 112), HeapError::kBadFree);
  EXPECT_EQ(report().distance, 12);
  EXPECT_EQ(last_end().message,
            "bad free: T0 frees an address 12 bytes behind a block of 100 bytes");
  give_back(block);
}

TEST_F(Heap, WhatIsNoBlockCannotBeFreed) {
  EXPECT_EQ(of_free(&global_variable), HeapError::kBadFree);
  EXPECT_EQ(last_end().message, "bad free: T0 frees a global variable, which is not a heap block");
  char local[16] = {};
  world_.context(1).stack_begin = address_of(local);
  world_.context(1).stack_size = sizeof local;
  EXPECT_EQ(of_free(local), HeapError::kBadFree);
  EXPECT_EQ(last_end().message,
            "bad free: T0 frees a variable on a stack, which is not a heap block");
}

TEST_F(Heap, BlocksOfOthersAreNotKnown) {
  char* const block = static_cast<char*>(malloc(40));
  EXPECT_EQ(of_access(block, 48), HeapError::kNone);
  EXPECT_FALSE(heap_free(block, kPc, false));
  std::size_t size = 7;
  EXPECT_FALSE(heap_owns(block, &size, kPc));
  free(block);
}

TEST_F(Heap, ReallocLearnsTheSizeOrThatItIsTooLate) {
  char* const block = allocate(33);
  std::size_t size = 0;
  EXPECT_TRUE(heap_owns(block, &size, kPc));
  EXPECT_EQ(size, 33u);
  give_back(block);
  EXPECT_TRUE(ends_run([&] { heap_owns(block, &size, kPc); }));
  EXPECT_EQ(report().error, HeapError::kDoubleFree);
}

TEST_F(Heap, TooMuchIsRefused) {
  for (const std::size_t size : {SIZE_MAX, SIZE_MAX - 31, std::size_t{PTRDIFF_MAX}}) {
    errno = 0;
    EXPECT_EQ(allocate(size), nullptr);
    EXPECT_EQ(errno, ENOMEM);
  }
  EXPECT_EQ(allocate(16, std::size_t{1} << 63), nullptr);
}

TEST_F(Heap, FreedBlocksAreUsedAgainButNotSoon) {
  char* const first = allocate(64);
  memset(first, 0xff, 64);
  give_back(first);
  int until_used = 0;
  char* again = nullptr;
  for (; again != first && until_used < 100'000; ++until_used) {
    if (again) give_back(again);
    EXPECT_TRUE(heap_is_freed(first));
    again = allocate(64, 16, true);
  }
  ASSERT_EQ(again, first);
  EXPECT_GT(until_used, 256 * 1024 / 256);
  // Nothing of its former life is left.
  EXPECT_EQ(of_access(again, 64), HeapError::kNone);
  EXPECT_EQ(of_access(again, 65), HeapError::kOutOfBounds);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(again[i], 0);
  give_back(again);
}

TEST_F(Heap, AChunkThatHoldsASmallerBlockNowHasItsBoundsAnew) {
  char* const large = allocate(100);
  give_back(large);
  begin_run();  // nothing is kept aside any more
  char* small = nullptr;
  std::vector<char*> others;
  for (std::size_t size = 99; size > 80 && small != large; --size) {
    small = allocate(size);
    if (small != large) {
      others.push_back(small);
      continue;
    }
    EXPECT_EQ(of_access(small, size), HeapError::kNone);
    EXPECT_EQ(of_access(small + size, 1), HeapError::kOutOfBounds);
    EXPECT_EQ(report().distance, 0);
    EXPECT_EQ(of_access(small + 99, 1), HeapError::kOutOfBounds);
  }
  EXPECT_EQ(small, large);
}

TEST_F(Heap, WhatIsFreedBetweenTwoRunsIsThereForTheNext) {
  char* const block = allocate(64);
  controlled = false;
  EXPECT_TRUE(heap_free(block, kPc, false));
  EXPECT_TRUE(heap_free(block, kPc, false));  // nobody to tell
  begin_run();
  EXPECT_EQ(allocate(64), block);
  EXPECT_NE(allocate(64), block);
}

TEST_F(Heap, FreeingIsAStepForEachWord) {
  char* const block = allocate(20);
  const auto steps = [&] {
    std::vector<std::uint64_t> offsets;
    for (std::uint64_t i = 0; i < sched.step; ++i) {
      EXPECT_EQ(sched.log[i].kind, OpKind::kFree);
      EXPECT_EQ((sched.log[i].flags & kSilentStep) != 0, i != 0);
      offsets.push_back(sched.log[i].object - address_of(block));
    }
    return offsets;
  };
  points = Points::kSync;
  heap_free_point(block, kPc, kPc);
  EXPECT_THAT(steps(), testing::IsEmpty());
  points = Points::kAll;
  heap_free_point(block, kPc, kPc);
  EXPECT_THAT(steps(), testing::ElementsAre(0, 8, 16));
  give_back(block);
  heap_free_point(block, kPc, kPc);
  EXPECT_THAT(steps(), testing::SizeIs(3));
}

// ---- Against a naive model. ----

struct Block {
  std::uint64_t begin, size;
  Tid allocated_by, freed_by;

  std::uint64_t end() const { return begin + size; }
};

// Blocks by their beginnings, and the freed ones in their order.
class Model {
 public:
  // As much as this has been freed since, a block may have been forgotten.
  static constexpr std::uint64_t kKept = 256 << 10;
  // No more than this lies around a block that is not aligned to more.
  static constexpr std::uint64_t kAround = 32 + 8 + 256;

  bool overlaps(std::uint64_t begin, std::uint64_t size) const {
    for (const auto* blocks : {&live_, &freed_}) {
      for (const auto& [at, block] : *blocks) {
        if (begin < at + block.size + 1 && at < begin + size + 1) return true;
      }
    }
    return false;
  }
  void allocated(const Block& block) { live_[block.begin] = block; }
  void freed(std::uint64_t begin, Tid by) {
    Block block = live_.at(begin);
    live_.erase(begin);
    block.freed_by = by;
    freed_[begin] = block;
    order_.push_back(begin);
    kept_ += block.size + kAround;
    while (kept_ > kKept) {
      kept_ -= freed_.at(order_.front()).size + kAround;
      freed_.erase(order_.front());
      order_.pop_front();
    }
  }
  const std::map<std::uint64_t, Block>& live() const { return live_; }
  const std::map<std::uint64_t, Block>& freed() const { return freed_; }

 private:
  std::map<std::uint64_t, Block> live_, freed_;
  std::deque<std::uint64_t> order_;
  std::uint64_t kept_ = 0;
};

TEST_F(Heap, IsWhatAMapOfIntervalsSays) {
  std::mt19937 random(99);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const auto one_of = [&](const std::map<std::uint64_t, Block>& blocks) {
    return std::next(blocks.begin(), static_cast<std::ptrdiff_t>(below(blocks.size())))->second;
  };
  Model model;
  std::set<std::uint64_t> places;
  for (int i = 0; i < 30'000; ++i) {
    const Tid thread = static_cast<Tid>(below(3));
    HandMadeWorld::become(thread);
    const std::uint64_t dice = below(10);
    if (dice < 3 && model.live().size() < 60) {
      const std::uint64_t size = below(10) == 0 ? below(20'000) : below(10) == 0 ? 0 : below(200);
      char* const block = allocate(size, below(8) == 0 ? 64 : 16);
      ASSERT_FALSE(model.overlaps(address_of(block), size)) << size;
      memset(block, 0x5a, size);
      model.allocated({address_of(block), size, thread, kNoTid});
      places.insert(address_of(block));
    } else if (dice < 6 && !model.live().empty()) {
      const Block block = one_of(model.live());
      give_back(reinterpret_cast<void*>(block.begin));
      model.freed(block.begin, thread);
    } else if (dice < 8 && !model.live().empty()) {
      // Some bytes that begin in a block or just beside it.
      const Block block = one_of(model.live());
      const std::uint64_t begin = block.begin - 8 + below(block.size + 16);
      const std::uint64_t size = 1 + below(24);
      const auto* at = reinterpret_cast<const char*>(begin);
      const bool inside = begin >= block.begin && begin + size <= block.end();
      ASSERT_EQ(of_access(at, size), inside ? HeapError::kNone : HeapError::kOutOfBounds)
          << size << " bytes at " << static_cast<std::int64_t>(begin - block.begin)
          << " of a block of " << block.size;
      ASSERT_EQ(heap_range_is_fine(at, size) && !inside, false);
      if (inside) {
        MemoryReport found;
        ASSERT_TRUE(heap_block(at, &found));
        ASSERT_EQ(found.begin, block.begin);
        ASSERT_EQ(found.thread, block.allocated_by);
      }
    } else if (!model.freed().empty()) {
      const Block block = one_of(model.freed());
      auto* const begin = reinterpret_cast<char*>(block.begin);
      if (below(2) == 0) {
        ASSERT_EQ(of_free(begin), HeapError::kDoubleFree) << block.size;
      } else if (block.size == 0) {
        continue;
      } else {
        ASSERT_EQ(of_access(begin + below(block.size), 1), HeapError::kUseAfterFree) << block.size;
        ASSERT_EQ(report().memory.size, block.size);
      }
      ASSERT_EQ(report().memory.thread, block.allocated_by);
      ASSERT_EQ(report().memory.free_thread, block.freed_by);
    }
  }
  // (Or reuse has not been tested.)
  EXPECT_LT(places.size(), 6'000u);
}

}  // namespace
}  // namespace snag::rt
