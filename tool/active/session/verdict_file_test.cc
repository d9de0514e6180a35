#include "tool/active/session/verdict_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace snag::active {
namespace {

struct StoreTest : ::testing::Test {
  StoreTest() { std::filesystem::remove(path); }
  ~StoreTest() override { std::filesystem::remove(path); }
  const std::string path =
      std::filesystem::temp_directory_path() / ("store_test." + std::to_string(getpid()));
};

TEST_F(StoreTest, WhatWasWrittenIsRead) {
  Stored stored{7, "program 1", {}, {}};
  stored.verdicts["race | a | b"] = {true, true, true, 12, 3, 2, 1, "t.snag", "harmful", "race a"};
  stored.failures["exit 3"] = {"exit with status 3", "u.snag"};
  ASSERT_TRUE(write_verdicts(path, stored));
  const auto read = read_verdicts(path, 7, "program 1");
  ASSERT_TRUE(read);
  const StoredVerdict& verdict = read->verdicts.at("race | a | b");
  EXPECT_TRUE(verdict.confirmed && verdict.harmful && verdict.explained);
  EXPECT_EQ(verdict.runs, 12u);
  EXPECT_EQ(verdict.together, 2u);
  EXPECT_EQ(verdict.trace, "t.snag");
  EXPECT_EQ(verdict.signature, "race a");
  EXPECT_EQ(read->failures.at("exit 3").text, "exit with status 3");
  EXPECT_EQ(read->failures.at("exit 3").trace, "u.snag");
}

TEST_F(StoreTest, AnotherBuildOrOtherArgumentsBeginAnew) {
  Stored stored{7, "program 1", {}, {}};
  stored.verdicts["x"] = {};
  ASSERT_TRUE(write_verdicts(path, stored));
  EXPECT_TRUE(read_verdicts(path, 8, "program 1")->verdicts.empty());
  EXPECT_TRUE(read_verdicts(path, 7, "program 2")->verdicts.empty());
  EXPECT_TRUE(read_verdicts(path + ".none", 7, "program 1")->verdicts.empty());
}

TEST_F(StoreTest, OnlyARegularFileCanHaveVerdicts) {
  EXPECT_TRUE(check_verdict_file(path));
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
  ASSERT_TRUE(write_verdicts(path, {}));
  EXPECT_TRUE(check_verdict_file(path));
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  for (const std::string& wrong : {path, std::string("/dev/null"), ::testing::TempDir(),
                                   path + ".none/verdicts", std::string("/dev/null/verdicts")}) {
    const auto checked = check_verdict_file(wrong);
    ASSERT_FALSE(checked) << wrong;
    EXPECT_EQ(checked.error().kind, ErrorKind::kUsage);
  }
}

TEST_F(StoreTest, WhatCannotBeWrittenLeavesNothingBehind) {
  std::filesystem::create_directories(path + "/something");
  ASSERT_FALSE(write_verdicts(path, {}));
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
  std::filesystem::remove_all(path);
}

TEST_F(StoreTest, AFileOfSomethingElseIsNotTouched) {
  for (const char* text : {"", "hello", "[]", "{}", "{\"format\": 3}"}) {
    std::ofstream(path) << text;
    const auto read = read_verdicts(path, 7, "");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::kUsage);
  }
}

TEST_F(StoreTest, FieldsOfTheWrongTypeAreLeftOut) {
  std::ofstream(path) << R"({"format": "snag active verdicts", "version": 1, "program_hash": 7,
    "arguments": "", "candidates": [3, {"key": "k", "runs": "many", "confirmed": 1}]})";
  const auto read = read_verdicts(path, 7, "");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->verdicts.at("k").runs, 0u);
  EXPECT_FALSE(read->verdicts.at("k").confirmed);
}

}  // namespace
}  // namespace snag::active
