// Checks docs/reference/schedule-language.md: each row of its tables with the columns schedule,
// happened, next, may it?; each schedule in the text; and each error.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "schedule/language/feasible.h"
#include "schedule/monitor/play_for_test.h"

namespace snag::schedule {
namespace {

std::vector<std::string> page() {
  std::ifstream file(std::filesystem::path(SNAG_SOURCE_DIR) /
                     "docs/reference/schedule-language.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// The cells of a row, without blanks and backquotes around them; "\|" is a bar.
std::vector<std::string> cells(const std::string& row) {
  std::vector<std::string> found;
  std::string cell;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
      cell += row[++i];
    } else if (row[i] == '|') {
      const std::size_t begin = cell.find_first_not_of(" `");
      const std::size_t end = cell.find_last_not_of(" `");
      found.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
      cell.clear();
    } else {
      cell += row[i];
    }
  }
  return found;
}

// The blocks ```kind ... ```, each as one text.
std::vector<std::string> blocks(const std::string& kind) {
  std::vector<std::string> found;
  bool inside = false;
  for (const std::string& line : page()) {
    if (line == "```" + kind) {
      inside = true;
      found.emplace_back();
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      found.back() += (found.back().empty() ? "" : "\n") + line;
    }
  }
  return found;
}

TEST(ScheduleLanguagePage, ItsTablesAreRight) {
  int rows = 0, yes = 0;
  bool in_table = false;
  for (const std::string& line : page()) {
    const std::vector<std::string> row = line.starts_with("|") ? cells(line) : cells("");
    if (row.empty()) in_table = false;
    if (in_table && !row[0].starts_with("---")) {
      ASSERT_EQ(row.size(), 4u) << line;
      ASSERT_TRUE(std::holds_alternative<Schedule>(parse(row[0]))) << line;
      ASSERT_TRUE(row[3] == "yes" || row[3] == "no") << line;
      Play play(row[0]);
      EXPECT_EQ(play.forbidden_in(row[1]), "") << line;
      EXPECT_EQ(play.may(row[2]), row[3] == "yes") << line;
      ++rows;
      yes += row[3] == "yes" ? 1 : 0;
    }
    if (row.size() == 4 && row[3] == "may it?") in_table = true;
  }
  EXPECT_GT(rows, 30);
  EXPECT_GT(yes, 10);
}

TEST(ScheduleLanguagePage, ItsSchedulesAreGood) {
  const auto found = blocks("schedule");
  EXPECT_FALSE(found.empty());
  for (const std::string& text : found) {
    const auto parsed = parse(text);
    ASSERT_TRUE(std::holds_alternative<Schedule>(parsed)) << text;
    EXPECT_FALSE(check_feasible(std::get<Schedule>(parsed))) << text;
  }
}

// The first column of "At a glance" can be read, too: conditions alone with an event behind them.
TEST(ScheduleLanguagePage, WhatItShowsAtAGlanceCanBeRead) {
  int read = 0;
  for (const std::string& line : page()) {
    if (line == "## The grammar") break;
    if (!line.starts_with("| `") || line.starts_with("| `(...)")) continue;
    std::istringstream first(line.substr(2, line.find(" |", 2) - 2));
    for (std::string part; std::getline(first, part, '`');) {
      if (part.empty() || part == ", ") continue;
      if (part.find("->") == std::string::npos) part += " -> z";
      EXPECT_TRUE(std::holds_alternative<Schedule>(parse(part))) << part;
      ++read;
    }
  }
  EXPECT_GT(read, 15);
}

TEST(ScheduleLanguagePage, ItsErrorsAreThose) {
  const auto found = blocks("error");
  EXPECT_GE(found.size(), 5u);
  for (const std::string& error : found) {
    std::istringstream lines(error);
    std::string first, text;
    std::getline(lines, first);
    std::getline(lines, text);
    text.erase(0, 2);
    const auto parsed = parse(text);
    const auto* wrong = std::get_if<ParseError>(&parsed);
    const std::vector<std::string> marked = {"a",    "b",  "c", "finishedAdd1", "startingTake1",
                                             "take", "put"};
    const auto fault = wrong ? *wrong : check(std::get<Schedule>(parsed), marked);
    ASSERT_TRUE(fault) << text;
    EXPECT_EQ(message_with_caret(text, *fault), error);
  }
}

}  // namespace
}  // namespace snag::schedule
