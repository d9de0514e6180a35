#include "tool/active/candidates/candidate_kinds.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tool/active/candidates/candidate.h"

namespace snag::active {
namespace {

TEST(CandidateKinds, RowsAreInTheOrderOfTheEnum) {
  for (std::size_t i = 0; i < kKindCount; ++i)
    EXPECT_EQ(static_cast<std::size_t>(kKindRows[i].kind), i) << kKindRows[i].name;
}

TEST(CandidateKinds, NamesAndOptionsAreDistinct) {
  std::set<std::string> names, options, texts;
  for (const KindRow& row : kKindRows) {
    EXPECT_TRUE(names.emplace(row.name).second) << row.name;
    EXPECT_TRUE(options.emplace(row.option).second) << row.option;
    EXPECT_TRUE(texts.emplace(row.singular).second) << row.singular;
    EXPECT_TRUE(std::string_view(row.option).starts_with("--")) << row.option;
  }
}

// The names are keys in the file of verdicts and in JSON: they must not change.
TEST(CandidateKinds, NamesAreStable) {
  EXPECT_EQ(name_of(Kind::kRace), "race");
  EXPECT_EQ(name_of(Kind::kDeadlock), "deadlock");
  EXPECT_EQ(name_of(Kind::kAtomicity), "atomicity");
  EXPECT_EQ(name_of(Kind::kAssertion), "assertion");
}

TEST(CandidateKinds, EachKindHasAStrategyOfItsOwn) {
  std::set<DirectedKind> strategies;
  for (const KindRow& row : kKindRows) {
    EXPECT_NE(row.directed, DirectedKind::kNone) << row.name;
    EXPECT_TRUE(strategies.insert(row.directed).second) << row.name;
    Candidate candidate;
    candidate.kind = row.kind;
    EXPECT_EQ(directed_of(candidate).kind, row.directed) << row.name;
  }
}

TEST(CandidateKinds, OnlyLocksNeedNoSchedulePoints) {
  for (const KindRow& row : kKindRows) {
    Candidate candidate;
    candidate.kind = row.kind;
    candidate.sides = {{{{0x10, 0x20}}, "one"}, {{{0x30}, {}}, "other"}};
    const std::vector<ModulePc> expected =
        row.has(kAtLocks) ? std::vector<ModulePc>{} : std::vector<ModulePc>{0x10, 0x30};
    EXPECT_EQ(points_of(candidate), expected) << row.name;
  }
}

TEST(KindSet, HoldsWhatWasAdded) {
  KindSet some;
  EXPECT_TRUE(some.is_empty());
  some.add(Kind::kDeadlock);
  EXPECT_FALSE(some.is_empty());
  for (const KindRow& row : kKindRows) {
    EXPECT_EQ(some.contains(row.kind), row.kind == Kind::kDeadlock) << row.name;
    EXPECT_TRUE(KindSet::all().contains(row.kind)) << row.name;
  }
}

}  // namespace
}  // namespace snag::active
