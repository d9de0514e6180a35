// Groups races on variables of this program, which has debug information with types, and on blocks
// that its functions seem to have allocated.
#include "tool/explore/race_groups.h"

#include <gtest/gtest.h>

#include <filesystem>

extern "C" char __executable_start;

namespace snag::explore {

int grouped_counter;
int grouped_array[8];

namespace {

[[gnu::noinline]] std::uint64_t one_place() {
  asm volatile("");  // so that each call is made
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}

class RaceGroupsTest : public testing::Test {
 protected:
  RaceGroupsTest() {
    const auto base = reinterpret_cast<std::uint64_t>(&__executable_start);
    modules_ = binary::ModuleMap(
        {{base, base, base + (1u << 30), std::filesystem::canonical("/proc/self/exe").string()}});
  }

  session::FailedRun race_at(std::uint64_t address, MemoryKind kind) {
    session::FailedRun run;
    run.modules = modules_;
    run.kind = FailureKind::kRace;
    run.race.emplace();
    for (AccessReport* access : {&run.race->first, &run.race->second}) {
      access->address = address;
      access->size = sizeof(int);
    }
    run.race->memory.kind = kind;
    return run;
  }
  session::FailedRun race_on(const int& variable) {
    return race_at(reinterpret_cast<std::uint64_t>(&variable), MemoryKind::kGlobal);
  }
  session::FailedRun race_in_block(std::uint64_t allocated_at, std::uint64_t offset) {
    session::FailedRun run = race_at(0x100000 + offset, MemoryKind::kHeap);
    run.race->memory.begin = 0x100000;
    run.race->memory.size = 64;
    run.race->memory.alloc_depth = 1;
    run.race->memory.alloc_stack[0] = allocated_at;
    return run;
  }
  std::size_t group(const session::FailedRun& run) { return groups_.group_of(run); }

  binary::ModuleMap modules_;
  binary::Symbolizer symbolizer_;
  RaceGroups groups_{symbolizer_};
};

TEST_F(RaceGroupsTest, AGlobalVariableIsOne) {
  const std::size_t counter = group(race_on(grouped_counter));
  const std::size_t array = group(race_on(grouped_array[0]));
  EXPECT_NE(counter, array);
  EXPECT_EQ(group(race_on(grouped_counter)), counter);
  EXPECT_EQ(group(race_on(grouped_array[5])), array);
  EXPECT_EQ(groups_.size(), 2u);
}

TEST_F(RaceGroupsTest, BlocksOfOnePlaceAreOne) {
  const std::uint64_t here = one_place();
  const std::uint64_t there = one_place();
  const std::size_t block = group(race_in_block(here, 0));
  EXPECT_EQ(group(race_in_block(here, 8)), block);
  EXPECT_NE(group(race_in_block(there, 0)), block);
}

TEST_F(RaceGroupsTest, FreeingABlockIsAnotherBug) {
  const std::uint64_t here = one_place();
  session::FailedRun freed = race_in_block(here, 0);
  freed.race->second.is_free = 1;
  const std::size_t block = group(race_in_block(here, 0));
  EXPECT_NE(group(freed), block);
  EXPECT_EQ(groups_.size(), 2u);
}

TEST_F(RaceGroupsTest, MemoryWithoutANameIsKnownByItsAddress) {
  const std::size_t stack = group(race_at(0x7000, MemoryKind::kStack));
  EXPECT_EQ(group(race_at(0x7000, MemoryKind::kStack)), stack);
  EXPECT_NE(group(race_at(0x7008, MemoryKind::kStack)), stack);
  // Nothing is known about these blocks.
  session::FailedRun block = race_in_block(0, 0);
  EXPECT_NE(group(block), group(block));
}

// One line may use several variables.
TEST_F(RaceGroupsTest, PartsWithDifferentNamesAreDifferent) {
  const RacedPart hits{{"Stats::hits"}, 0}, misses{{"Stats::misses"}, 8}, unknown{{}, 8};
  EXPECT_TRUE(hits.may_be(hits));
  EXPECT_FALSE(hits.may_be(misses));
  EXPECT_TRUE(hits.may_be(unknown));
  EXPECT_TRUE(unknown.may_be(hits));
  // The two sides may call it differently.
  EXPECT_TRUE(misses.may_be({{"s->misses"}, 8}));
  EXPECT_TRUE(misses.may_be({{"Stats::misses", "s->misses"}, 24}));
}

TEST_F(RaceGroupsTest, APartIsNamedUnlessItIsFreed) {
  EXPECT_EQ(groups_.part_of(race_on(grouped_array[3])).names,
            std::set<std::string>{"snag::explore::grouped_array[]"});
  session::FailedRun block = race_in_block(one_place(), 8);
  EXPECT_EQ(groups_.part_of(block).position, 8u);
  EXPECT_TRUE(groups_.part_of(block).names.empty());
  session::FailedRun freed = race_on(grouped_counter);
  freed.race->second.is_free = 1;
  EXPECT_TRUE(groups_.part_of(freed).names.empty());
}

TEST_F(RaceGroupsTest, OtherFailuresAreAlone) {
  session::FailedRun run = race_on(grouped_counter);
  run.kind = FailureKind::kAssert;
  EXPECT_NE(group(run), group(run));
}

}  // namespace
}  // namespace snag::explore
