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
  RunOptions options;
  OptionParser parser("", "snag run");
  parser.add(run_options(), options);
  EXPECT_GT(parser.options().size(), std::size(kRunSettings));
  for (const auto& row : parser.options()) {
    const std::string last = row.name.substr(row.name.find("--"));
    const std::string line = documented(row.takes_value() ? last + " " + row.value : last);
    EXPECT_NE(line, "") << last;
    const std::size_t at = row.help.find("default ");
    if (at == std::string::npos) continue;
    const std::string value =
        row.help.substr(at + 8, row.help.find_first_of(", ", at + 8) - at - 8);
    EXPECT_THAT(line, HasSubstr(value)) << "the default of " << last;
  }
}

struct Parsed {
  std::optional<int> code;
  RunOptions options;
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
                              Words::kEndOptions, parsed.options, line);
  parsed.error = testing::internal::GetCapturedStderr();
  return parsed;
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
    const Parsed parsed = parse({name, value});
    EXPECT_EQ(parsed.code, kExitUsage) << name << " " << value;
    EXPECT_THAT(parsed.error, HasSubstr(name));
  }
}

TEST(RunOptions, SayWhatTheyAccept) {
  EXPECT_THAT(parse({"--heap", "x"}).error,
              HasSubstr("--heap must be \"fail\" or \"off\", not 'x'"));
  EXPECT_THAT(parse({"--lock-order", "x"}).error,
              HasSubstr("must be \"report\" or \"off\", not 'x'"));
  EXPECT_THAT(parse({"--points", "x"}).error,
              HasSubstr("must be \"sync\", \"shared\" or \"all\", not 'x'"));
  EXPECT_THAT(parse({"--strategy", "replay"}).error,
              HasSubstr("\"mix\" or \"cover\", not 'replay'"));
  EXPECT_THAT(parse({"--depth", "65"}).error, HasSubstr("needs a number from 1 to 64, not '65'"));
  EXPECT_THAT(parse({"--hang-timeout", "x"}).error, HasSubstr("needs a number of seconds"));
}

// Every word of every setting, and the ends of the ranges, arrive in the settings of the run.
TEST(RunOptions, SetTheSettingsOfTheRun) {
  for (const SettingRow& row : kRunSettings) {
    const SettingValues& values = row.values;
    std::vector<std::pair<std::string, std::uint64_t>> cases;
    if (values.is_duration) {
      cases = {{"0.25", 250}, {"3", 3000}, {"0.0001", 1}};
    } else if (values.words.empty()) {
      cases = {{std::to_string(values.min), values.min}, {std::to_string(values.max), values.max}};
    }
    for (const Word& word : values.words) cases.emplace_back(word.name, word.value);
    for (const auto& [text, value] : cases) {
      const StrategyRow* strategy = find_strategy(text);
      if (strategy != nullptr && !may_choose(*strategy, StrategyChoice::kRun)) continue;
      const Parsed parsed = parse({row.option, text});
      EXPECT_EQ(parsed.error, "");
      EXPECT_EQ(row.get(parsed.options.run.values), value) << row.option << " " << text;
      EXPECT_TRUE(parsed.options.run.any_given()) << row.option;
      for (const SettingRow& other : kRunSettings) {
        if (&other == &row) continue;
        EXPECT_EQ(other.get(parsed.options.run.values), other.initial())
            << row.option << " changed " << other.option;
      }
    }
  }
  EXPECT_FALSE(parse({"--quiet"}).options.run.any_given());
}

TEST(ChosenSettings, TheDefaultsOfACommandStandInItsHelp) {
  const auto help = [](const char* option, SettingCommands command, const RunSettings& defaults) {
    for (const SettingRow& row : kRunSettings) {
      if (row.option == std::string(option)) return help_of(row, command, defaults);
    }
    return std::string();
  };
  EXPECT_THAT(help("--seed", kOnRun, {}), testing::EndsWith("; default random"));
  EXPECT_THAT(help("--seed", kOnCoverWhy, {.seed = 1}), testing::EndsWith("; default 1"));
  EXPECT_THAT(help("--hang-timeout", kOnGen, {.hang_ms = 2000}), testing::EndsWith("; default 2"));
  EXPECT_THAT(help("--preemptions", kOnCover, {}), testing::StartsWith("--control: dfs: "));
  EXPECT_THAT(help("--strategy", kOnCover, {}), testing::Not(HasSubstr("cover.md")));
}

// A replay has the settings of its trace, but for those that its command offers.
TEST(ChosenSettings, ReplaceOnlyWhatTheCommandOffers) {
  RunSettings trace{.seed = 7, .heap_checks = false, .hang_ms = 1};
  replace_settings(kOnReplay, {.seed = 8, .hang_ms = 500}, trace);
  EXPECT_EQ(trace.seed, 7u);
  EXPECT_FALSE(trace.heap_checks);
  EXPECT_EQ(trace.hang_ms, 500u);
}

TEST(RunOptions, SystematicSearchIsOneProcess) {
  RunOptions settings;
  settings.run.values.strategy = StrategyKind::kDfs;
  EXPECT_TRUE(check_together(settings).has_value());
  settings.jobs = 2;
  const auto checked = check_together(settings);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(checked.error().message, HasSubstr("leave out -j"));
  settings.run.values.strategy = StrategyKind::kMix;
  EXPECT_TRUE(check_together(settings).has_value());
}

// What only one strategy heeds must not be dropped in silence by another.
TEST(RunOptions, OfOneStrategyAreRefusedWithAnother) {
  for (const StrategyKind strategy : {StrategyKind::kMix, StrategyKind::kRandom, StrategyKind::kPct,
                                      StrategyKind::kDfs, StrategyKind::kSurw}) {
    RunOptions bounded;
    bounded.run.values.strategy = strategy;
    bounded.run.given.preemption_bound = true;
    const auto preemptions = check_together(bounded);
    EXPECT_EQ(preemptions.has_value(), strategy == StrategyKind::kDfs);
    if (!preemptions) {
      EXPECT_EQ(preemptions.error().kind, ErrorKind::kUsage);
      EXPECT_THAT(preemptions.error().message, HasSubstr("add --strategy dfs"));
    }
    RunOptions deep;
    deep.run.values.strategy = strategy;
    deep.run.given.pct_depth = true;
    const auto depth = check_together(deep);
    EXPECT_EQ(depth.has_value(), strategy == StrategyKind::kPct);
    if (!depth) {
      EXPECT_EQ(depth.error().kind, ErrorKind::kUsage);
      EXPECT_THAT(depth.error().message, HasSubstr("add --strategy pct"));
    }
  }
}

TEST(ParseOptions, TakesEachOnce) {
  const Parsed parsed = parse({"--runs", "5", "-j", "2", "--json", "./test", "--runs", "6"});
  EXPECT_EQ(parsed.code, std::nullopt);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.options.runs, 5u);
  EXPECT_EQ(parsed.options.jobs, 2u);
  EXPECT_EQ(parsed.options.format, report::find_format("json"));
  EXPECT_FALSE(parsed.options.quiet);
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
