#include "tool/cli/options/run_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace snag::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SplitLine split(std::vector<std::string> words, Words kind) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return split_line(static_cast<int>(argv.size()), argv.data(), kind,
                    [](const std::string& word) { return word == "--runs" || word == "-j"; });
}

TEST(SplitLine, ProgramsKeepTheirOptions) {
  const auto line =
      split({"run", "--runs", "-5", "--json", "./test", "--fast", "--", "x"}, Words::kEndOptions);
  EXPECT_THAT(line.options, ElementsAre("--runs=-5", "--json"));
  EXPECT_THAT(line.tail, ElementsAre("./test", "--fast", "--", "x"));
}

TEST(SplitLine, DashesEndTheOptions) {
  const auto line = split({"run", "-j", "2", "--", "--odd-name"}, Words::kEndOptions);
  EXPECT_THAT(line.options, ElementsAre("-j", "2"));
  EXPECT_THAT(line.tail, ElementsAre("--odd-name"));
}

TEST(SplitLine, OptionsMayFollowAFile) {
  const auto line = split({"replay", "x.snag", "--runs", "3", "--", "a"}, Words::kBetweenOptions);
  EXPECT_THAT(line.words, ElementsAre("x.snag"));
  EXPECT_THAT(line.options, ElementsAre("--runs=3"));
  EXPECT_THAT(line.tail, ElementsAre("a"));
}

// The row of the table in docs/guide/run.md that is about this option.
std::string documented(const std::string& option) {
  const auto docs = std::filesystem::path(SNAG_SOURCE_DIR) / "docs/guide/run.md";
  std::ifstream file(docs);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| `") && line.find(option + "`") < line.find(" |")) return line;
  }
  return "";
}

// The documentation is written by hand; it must not fall behind the table.
TEST(RunOptions, AreDocumented) {
  for (const auto& row : run_options()) {
    const std::string name = row.name;
    const std::string last = name.substr(name.find("--"));
    const std::string line = documented(row.value == nullptr ? last : last + " " + row.value);
    EXPECT_NE(line, "") << last;
    const std::string help = row.help;
    const std::size_t at = help.find("default ");
    if (at == std::string::npos) continue;
    const std::string value = help.substr(at + 8, help.find_first_of(", ", at + 8) - at - 8);
    EXPECT_THAT(line, HasSubstr(value)) << "the default of " << last;
  }
}

TEST(RunOptions, RefuseNonsense) {
  const std::pair<const char*, const char*> cases[] = {
      {"--runs", "0"},         {"--runs", "-1"},
      {"--runs", "1e3"},       {"--runs", ""},
      {"--time", "0"},         {"--time", "nan"},
      {"--time", "-1"},        {"--strategy", "replay"},
      {"--points", "any"},     {"--backend", "x"},
      {"--max-steps", "0"},    {"--hang-timeout", "0"},
      {"--depth", "0"},        {"--out", ""},
      {"--preemptions", "-1"}, {"--heap", "on"},
      {"--races", "on"},       {"--lock-misuse", "on"},
      {"--lock-order", "fail"}};
  for (const auto& [name, value] : cases) {
    for (const auto& row : run_options()) {
      if (!has_name(row.name, name)) continue;
      RunSettings settings;
      EXPECT_FALSE(row.set(settings, value).has_value()) << name << " " << value;
    }
  }
}

TEST(RunOptions, SystematicSearchIsOneProcess) {
  RunSettings settings;
  settings.strategy = StrategyKind::kDfs;
  EXPECT_TRUE(check_together(settings).has_value());
  settings.jobs = 2;
  const auto checked = check_together(settings);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(checked.error().message, HasSubstr("leave out -j"));
  settings.strategy = StrategyKind::kMix;
  EXPECT_TRUE(check_together(settings).has_value());
}

// What only one strategy heeds must not be dropped in silence by another.
TEST(RunOptions, OfOneStrategyAreRefusedWithAnother) {
  for (const StrategyKind strategy : {StrategyKind::kMix, StrategyKind::kRandom, StrategyKind::kPct,
                                      StrategyKind::kDfs, StrategyKind::kSurw}) {
    RunSettings bounded;
    bounded.strategy = strategy;
    bounded.preemptions = 0;
    const auto preemptions = check_together(bounded);
    EXPECT_EQ(preemptions.has_value(), strategy == StrategyKind::kDfs);
    if (!preemptions) {
      EXPECT_EQ(preemptions.error().kind, ErrorKind::kUsage);
      EXPECT_THAT(preemptions.error().message, HasSubstr("add --strategy dfs"));
    }
    RunSettings deep;
    deep.strategy = strategy;
    deep.depth = RunSettings::kDefaultDepth;
    const auto depth = check_together(deep);
    EXPECT_EQ(depth.has_value(), strategy == StrategyKind::kPct);
    if (!depth) {
      EXPECT_EQ(depth.error().kind, ErrorKind::kUsage);
      EXPECT_THAT(depth.error().message, HasSubstr("add --strategy pct"));
    }
  }
}

struct Parsed {
  std::optional<int> code;
  RunSettings settings;
  std::string error;
};

Parsed parse(std::vector<std::string> words) {
  words.insert(words.begin(), "run");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  OptionParser app("", "snag run");
  Parsed parsed;
  SplitLine line;
  testing::internal::CaptureStderr();
  parsed.code = parse_options(app, run_options(), static_cast<int>(argv.size()), argv.data(),
                              Words::kEndOptions, parsed.settings, line);
  parsed.error = testing::internal::GetCapturedStderr();
  return parsed;
}

TEST(ParseOptions, TakesEachOnce) {
  const Parsed parsed = parse({"--runs", "5", "-j", "2", "--json", "./test", "--runs", "6"});
  EXPECT_EQ(parsed.code, std::nullopt);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.settings.runs, 5u);
  EXPECT_EQ(parsed.settings.jobs, 2u);
  EXPECT_EQ(parsed.settings.format, report::find_format("json"));
  EXPECT_FALSE(parsed.settings.quiet);
}

TEST(ParseOptions, AnEmptyValueIsNotTheNextWord) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--out", "", "--json"}, {"--out=", "--json"}, {"--out", ""}}) {
    const Parsed parsed = parse(words);
    EXPECT_EQ(parsed.code, kExitUsage);
    EXPECT_EQ(parsed.error, "snag run: --out must not be empty; see snag run --help\n");
  }
}

TEST(ParseOptions, OneGivenTwiceIsRefusedInASentence) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--runs", "5", "--runs", "5"}, "--runs"},
      {{"--runs=5", "--quiet", "--runs", "6"}, "--runs"},
      {{"-j", "2", "--jobs", "3"}, "-j,--jobs"},
      {{"-j2", "-j3", "-j4"}, "-j,--jobs"},
      {{"--json", "--json"}, "--json"},
  };
  for (const auto& [words, name] : cases) {
    const Parsed parsed = parse(words);
    EXPECT_EQ(parsed.code, kExitUsage) << name;
    EXPECT_EQ(parsed.error, std::string("snag run: ") + name +
                                " was given more than once: leave one out; see snag run --help\n");
  }
}

}  // namespace
}  // namespace snag::cli
