// Names variables of this program, which has debug information with types.
#include "tool/explore/raced_variable.h"

#include <gtest/gtest.h>

#include <filesystem>

extern "C" char __executable_start;

namespace snag::explore {

struct RacedConfig {
  int mode;
  struct {
    int min, max;
  } limits[4];
};
RacedConfig raced_config;
int raced_array[8];

namespace {

class RacedVariableTest : public testing::Test {
 protected:
  RacedVariableTest() {
    const auto base = reinterpret_cast<std::uint64_t>(&__executable_start);
    run_.modules = binary::ModuleMap(
        {{base, base, base + (1u << 30), std::filesystem::canonical("/proc/self/exe").string()}});
    run_.kind = FailureKind::kRace;
    run_.race.emplace();
  }
  RacedVariable of(const int* address) {
    run_.race->second.address = reinterpret_cast<std::uint64_t>(address);
    run_.race->second.size = sizeof(int);
    return raced_variable(run_, variables_).value_or(RacedVariable{"none", "none"});
  }
  session::FailedRun run_;
  binary::Symbolizer symbolizer_;
  binary::Variables variables_{symbolizer_};
};

TEST_F(RacedVariableTest, MembersDiffer) {
  const RacedVariable mode = of(&raced_config.mode), max = of(&raced_config.limits[1].max);
  EXPECT_EQ(mode.name, "snag::explore::raced_config");
  EXPECT_EQ(mode.part, "snag::explore::raced_config.mode");
  EXPECT_EQ(max.name, mode.name);
  EXPECT_EQ(max.part, "snag::explore::raced_config.limits[].max");
  EXPECT_NE(of(&raced_config.limits[1].min).part, max.part);
}

TEST_F(RacedVariableTest, ElementsAreTheSame) {
  EXPECT_EQ(of(&raced_array[0]).part, "snag::explore::raced_array[]");
  EXPECT_EQ(of(&raced_array[5]).part, "snag::explore::raced_array[]");
  EXPECT_EQ(of(&raced_config.limits[3].max).part, of(&raced_config.limits[0].max).part);
}

TEST_F(RacedVariableTest, OtherMemoryAndOtherFailuresHaveNone) {
  int local = 0;
  EXPECT_EQ(of(&local).part, "none");
  run_.kind = FailureKind::kDeadlock;
  EXPECT_EQ(of(&raced_array[0]).part, "none");
}

}  // namespace
}  // namespace snag::explore
