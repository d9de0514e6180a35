#include "tool/active/tool_reports/suspect_places.h"

#include <gtest/gtest.h>

#include "tool/active/candidates/watched_for_test.h"
#include "tool/active/tool_reports/suspect_candidates.h"
#include "tool/base/text.h"

namespace snag::active {
namespace {

using testing::other_function;
using testing::some_function;
using testing::Watched;

constexpr std::uint64_t kX = 0x5000;

TEST(CommonSuffix, CountsNamesFromTheEnd) {
  EXPECT_EQ(common_suffix("/a/src/x.cc", "src/x.cc"), 2u);
  EXPECT_EQ(common_suffix("/a/src/x.cc", "/b/src/x.cc"), 2u);
  EXPECT_EQ(common_suffix("x.cc", "/b/src/x.cc"), 1u);
  EXPECT_EQ(common_suffix("/a/src/../lib/x.cc", "/b/lib/x.cc"), 2u);
  EXPECT_EQ(common_suffix("/a/ax.cc", "/a/x.cc"), 0u);
}

TEST(HasSides, EachSideIsAnotherOne) {
  const auto side = [](ModulePc pc) { return Located{{{pc}}, "", ""}; };
  Candidate circle;
  circle.kind = Kind::kDeadlock;
  circle.sides = {{{{1}, {2}}, ""}, {{{3}}, ""}, {{{3}}, ""}};
  EXPECT_TRUE(has_sides(circle, {side(2)}));
  EXPECT_TRUE(has_sides(circle, {side(3), side(3)}));
  EXPECT_TRUE(has_sides(circle, {side(3), side(1), side(3)}));
  EXPECT_FALSE(has_sides(circle, {side(1), side(2)}));
  EXPECT_FALSE(has_sides(circle, {side(4)}));
}

struct ReportPlacesTest : ::testing::Test {
  ReportPlacesTest() {
    watched.create(0, 1);
    watched.create(0, 2);
    watched.access(1, kX, kWatchWrite, here);
    watched.access(2, kX, kWatchRead, there);
  }
  // A side in another build's words: another path to the same file.
  ReportSide side(std::uint32_t place, ReportAccess access, int lines_off = 0) {
    const binary::Frame& frame = *names.place(place).frame();
    ReportSide side;
    side.access = access;
    side.size = 4;
    side.frames = {{"lock", "/usr/include/c++/12/bits/std_mutex.h", 100, 17},
                   {"f", "/elsewhere/active/" + std::string(base_name(frame.file)),
                    frame.line + lines_off, 0}};
    return side;
  }
  static ReportEntry race(std::vector<ReportSide> sides) {
    ReportEntry entry;
    entry.sides = std::move(sides);
    return entry;
  }
  ReportPlaces places() { return ReportPlaces(watched.observation(), names, {}, symbolizer); }

  Watched watched;
  std::uint32_t here = watched.place(some_function), there = watched.place(other_function);
  PlaceNames names = watched.names();
  binary::Symbolizer symbolizer;
};

TEST_F(ReportPlacesTest, ALineIsFoundByTheEndOfItsPath) {
  const LocatedRaces located =
      places().race(race({side(here, ReportAccess::kWrite), side(there, ReportAccess::kRead)}));
  ASSERT_EQ(located.races.size(), 1u) << located.problem;
  const Located& one = located.races[0].one;
  ASSERT_EQ(one.places.size(), 1u);
  EXPECT_EQ(one.places[0], names.place(here).code);
  EXPECT_NE(one.text.find("writes"), std::string::npos);
}

TEST_F(ReportPlacesTest, TheOtherAccessIsKnownFromTheRunsWatched) {
  const LocatedRaces located = places().race(race({side(here, ReportAccess::kWrite)}));
  ASSERT_EQ(located.races.size(), 1u) << located.problem;
  const Located& other = located.races[0].other;
  ASSERT_EQ(other.places.size(), 1u);
  EXPECT_EQ(other.places[0], names.place(there).code);
}

// Two variables of this program that are used at the same places.
int first_variable, second_variable;

struct TwoVariables : ReportPlacesTest {
  TwoVariables() {
    for (int* variable : {&first_variable, &second_variable}) {
      const std::uint64_t address = testing::address_in_program(variable);
      watched.access(1, address, kWatchWrite, here);
      watched.access(2, address, kWatchRead, there);
    }
  }
  ReportEntry of(MemoryPart memory, bool both = true) {
    ReportEntry entry = race({side(here, ReportAccess::kWrite)});
    if (both) entry.sides.push_back(side(there, ReportAccess::kRead));
    entry.memory = std::move(memory);
    return entry;
  }
};

TEST_F(TwoVariables, TheOneThatIsNamedIsTaken) {
  ReportPlaces all = places();
  for (const char* name : {"first_variable", "second_variable"}) {
    for (const bool both : {true, false}) {
      const LocatedRaces located = all.race(of({MemoryPart::Kind::kVariable, name, 0, 4}, both));
      ASSERT_EQ(located.races.size(), 1u) << located.problem;
      EXPECT_EQ(located.races[0].variable, name);
      EXPECT_NE(located.races[0].one.text.find(name), std::string::npos);
      EXPECT_NE(located.races[0].other.text.find(name), std::string::npos);
    }
  }
}

TEST_F(TwoVariables, WithoutANameItIsNotTheOneThatIsKeptApart) {
  // Of a third one, which only one thread uses, and the first one when all others are over.
  static int kept_apart;
  const std::uint64_t address = testing::address_in_program(&kept_apart);
  const std::uint32_t at_the_end = watched.place(testing::last_function);
  watched.access(1, address, kWatchWrite, here);
  watched.join(0, 1);
  watched.access(0, address, kWatchRead, at_the_end);
  const LocatedRaces located = places().race(of({MemoryPart::Kind::kVariable, "", 0, 0}, false));
  ASSERT_EQ(located.races.size(), 2u) << located.problem;
  for (const LocatedRace& race : located.races) EXPECT_NE(race.variable, "kept_apart");
}

TEST_F(TwoVariables, AnotherOneIsNotInThatLine) {
  const LocatedRaces located = places().race(of({MemoryPart::Kind::kVariable, "other", 0, 4}));
  EXPECT_TRUE(located.races.empty());
  EXPECT_NE(located.problem.find("other was not used at"), std::string::npos) << located.problem;
}

TEST_F(TwoVariables, MemoryWithoutAFixedAddressIsNeither) {
  const LocatedRaces located = places().race(of({MemoryPart::Kind::kHeap, "", 0, 0}));
  ASSERT_EQ(located.races.size(), 1u) << located.problem;
  EXPECT_EQ(located.races[0].variable, "");
}

TEST_F(TwoVariables, WithoutANameItIsUnclearWhich) {
  ReportPlaces all = places();
  ToolReport report;
  for (const bool both : {true, false})
    report.entries.push_back(of({MemoryPart::Kind::kVariable, "", 0, 0}, both));
  for (const EntryCandidates& entry : candidates_of(report, all, {})) {
    ASSERT_EQ(entry.candidates.size(), 2u) << entry.problem;
    EXPECT_TRUE(entry.is_unclear);
    EXPECT_EQ(entry.candidates[0].variable, "first_variable");
    EXPECT_EQ(entry.candidates[1].variable, "second_variable");
  }
}

TEST_F(ReportPlacesTest, WhatIsNotInTheProgramIsSaid) {
  ReportPlaces all = places();
  ReportSide wrong = side(here, ReportAccess::kWrite, 500);
  EXPECT_NE(all.race(race({wrong})).problem.find("no such line"), std::string::npos);
  EXPECT_NE(all.lock(side(here, ReportAccess::kUnknown)).problem.find("never executed"),
            std::string::npos);
  wrong.frames[1].file = "/src/unheard_of.cc";
  EXPECT_NE(all.race(race({wrong})).problem.find("no code of unheard_of.cc"), std::string::npos);
}

TEST_F(ReportPlacesTest, AnEntryWithoutLinesIsNoCandidate) {
  ReportPlaces all = places();
  ToolReport report;
  report.entries.resize(3);
  report.entries[1].sides = {side(here, ReportAccess::kWrite), side(there, ReportAccess::kRead)};
  report.entries[2].sides = {side(there, ReportAccess::kRead)};
  const auto entries = candidates_of(report, all, {});
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_TRUE(entries[0].candidates.empty());
  EXPECT_NE(entries[0].problem.find("no line"), std::string::npos);
  ASSERT_EQ(entries[1].candidates.size(), 1u);
  ASSERT_EQ(entries[2].candidates.size(), 1u);
  // Whatever of it was reported, it is one and the same.
  EXPECT_EQ(entries[1].candidates[0].key(), entries[2].candidates[0].key());
}

}  // namespace
}  // namespace snag::active
