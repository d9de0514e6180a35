#include "tool/trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "protocol/random.h"
#include "tool/trace/replay.h"

namespace snag::trace {
namespace {

using testing::HasSubstr;

Trace example() {
  Trace trace;
  trace.program = {
      "/home/me/queue_test", {"./queue_test", "--fast", "\xff not UTF-8? \"quoted\""}, ""};
  trace.program_hash = 0x0123456789abcdef;
  trace.settings.max_steps = 1'000'000;
  trace.settings.strategy = StrategyKind::kPct;
  trace.settings.seed = 18446744073709551615u;
  trace.run = 13;
  trace.contexts = 5;
  trace.failure = {FailureKind::kDeadlock, 0, "threads wait for each other in a cycle", 2,
                   "queue.cc:41"};
  trace.confirmed = true;
  trace.event_hash = 0xfeedfacecafebeef;
  trace.steps = 16;
  trace.points = {make_module_pc(0, 0x1a3f), make_module_pc(3, 0x20)};
  trace.choices = {{7, 3, 2}};
  trace.schedule = {{0, 0, 12}, {1, 0, 1}, {2, 0, 3}};
  const Position lock{OpKind::kMutexLock, "Queue::pop", "queue.cc", 41, 5, 3, ""};
  trace.switches = {{0, 12, lock, 3, 1}, {1, 1, std::nullopt, 0, 2}};
  return trace;
}

TEST(Trace, ReadsWhatItWrote) {
  Trace trace = example();
  trace.program.argv.back() = "plain";
  trace.switches[0].until->via = "std::vector::size+2:9";
  const auto read = parse_trace(format_trace(trace));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(format_trace(*read), format_trace(trace));
  EXPECT_EQ(read->settings.seed, trace.settings.seed);
  EXPECT_EQ(read->points, trace.points);
  EXPECT_EQ(read->choices[0].value, 2u);
  EXPECT_EQ(read->schedule[2].steps, 3u);
  ASSERT_TRUE(read->switches[0].until);
  EXPECT_EQ(read->switches[0].until->key(), trace.switches[0].until->key());
  EXPECT_EQ(read->switches[0].until->via, "std::vector::size+2:9");
  EXPECT_FALSE(read->switches[1].until);
  EXPECT_FALSE(read->shrunk_from);
}

// Values that are not the initial one: each word, and the ends of the range.
std::vector<std::uint64_t> other_values(const SettingRow& row) {
  std::vector<std::uint64_t> all = {row.values.min, row.values.max};
  if (!row.values.words.empty()) all.clear();
  for (const Word& word : row.values.words) all.push_back(word.value);
  std::erase(all, row.initial());
  return all;
}

TEST(Trace, KeepsTheSettingsOfTheRun) {
  int kept = 0;
  for (const SettingRow& row : kRunSettings) {
    if (row.trace.name == nullptr) continue;
    ++kept;
    for (const std::uint64_t value : other_values(row)) {
      Trace trace = example();
      trace.program.argv.back() = "plain";
      row.set(trace.settings, value);
      const auto read = parse_trace(format_trace(trace));
      ASSERT_TRUE(read.has_value()) << row.trace.name << ": " << read.error().message;
      for (const SettingRow& other : kRunSettings) {
        if (other.trace.name == nullptr) continue;
        EXPECT_EQ(other.get(read->settings), other.get(trace.settings))
            << other.trace.name << ", with " << row.trace.name << " = " << value;
      }
    }
  }
  EXPECT_GE(kept, 8);
}

TEST(Trace, KeepsTheNamesOfAllocators) {
  Trace trace = example();
  const auto without = parse_trace(format_trace(trace));
  ASSERT_TRUE(without);
  EXPECT_TRUE(without->settings.allocators.empty());
  constexpr std::string_view kNames = "take,Pool::take@2/give,Pool::give@2";
  kNames.copy(trace.settings.allocators.text, kNames.size());
  const std::string text = format_trace(trace);
  const auto read = parse_trace(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->settings.allocators.text, kNames);
  std::string too_long = text;
  too_long.replace(too_long.find(kNames), kNames.size(), AllocatorNames::kSize, 'x');
  EXPECT_FALSE(parse_trace(too_long));
}

std::string without_field(std::string text, const std::string& name) {
  const std::size_t begin = text.find("\"" + name + "\": ");
  EXPECT_NE(begin, std::string::npos) << name;
  return text.erase(begin, text.find('\n', begin) + 1 - begin);
}

TEST(Trace, SettingsThatCameLaterMayBeMissing) {
  for (const SettingRow& row : kRunSettings) {
    if (row.trace.name == nullptr) continue;
    Trace trace = example();
    for (const std::uint64_t value : other_values(row)) {
      if (value != row.trace.absent) row.set(trace.settings, value);
    }
    if (row.get(trace.settings) == row.trace.absent) row.set(trace.settings, row.initial());
    const auto read = parse_trace(without_field(format_trace(trace), row.trace.name));
    ASSERT_EQ(read.has_value(), !row.trace.is_required) << row.trace.name;
    if (read) {
      EXPECT_EQ(row.get(read->settings), row.trace.absent) << row.trace.name;
    }
  }
}

TEST(Trace, SettingsOutOfRangeAreRefused) {
  for (const SettingRow& row : kRunSettings) {
    if (row.trace.name == nullptr || !row.values.words.empty() || row.values.max == UINT64_MAX)
      continue;
    for (const std::uint64_t value : {row.values.max + 1, row.values.min - 1}) {
      Trace trace = example();
      row.set(trace.settings, value);
      EXPECT_FALSE(parse_trace(format_trace(trace)).has_value()) << row.trace.name << " " << value;
    }
  }
}

TEST(Trace, ReplaysHaveItsSettings) {
  for (const SettingRow& row : kRunSettings) {
    if (row.trace.name == nullptr) continue;
    for (const std::uint64_t value : other_values(row)) {
      Trace trace = example();
      row.set(trace.settings, value);
      Config config = replay_config(trace, StrategyKind::kReplay);
      EXPECT_EQ(config.recorded, trace.settings.strategy);
      EXPECT_GE(config.settings.max_steps,
                trace.steps);  // a shrunk trace may need more than it had
      config.settings.strategy = trace.settings.strategy;
      if (value < trace.steps) config.settings.max_steps = trace.settings.max_steps;
      EXPECT_EQ(row.get(config.settings), value) << row.trace.name;
    }
  }
}

// Traces of older versions do not say whether misuse of locks was a failure.
TEST(Trace, OneOfLockMisuseLookedForIt) {
  Trace trace = example();
  trace.program.argv.back() = "plain";
  for (const FailureKind kind : {FailureKind::kLockMisuse, FailureKind::kDeadlock}) {
    trace.failure.kind = kind;
    trace.settings.lock_misuse = false;
    const std::string old = format_trace(trace);
    EXPECT_THAT(old, testing::Not(HasSubstr("lock_misuse")));
    EXPECT_EQ(parse_trace(old).value().settings.lock_misuse, kind == FailureKind::kLockMisuse);
    trace.settings.lock_misuse = true;
    EXPECT_TRUE(parse_trace(format_trace(trace)).value().settings.lock_misuse);
  }
}

TEST(Trace, SaysFromWhereItWasShrunk) {
  Trace trace = example();
  trace.program.argv.back() = "plain";
  trace.shrunk_from = 34;
  const std::string text = format_trace(trace);
  EXPECT_THAT(text, HasSubstr("\"shrunk\": {\"from\":34,\"to\":2}"));
  const auto read = parse_trace(text);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->shrunk_from, 34u);
}

TEST(Trace, IsReadableText) {
  const std::string text = format_trace(example());
  EXPECT_THAT(text, HasSubstr("\"0*12 1 2*3\""));
  EXPECT_THAT(
      text,
      HasSubstr("{\"thread\":0,\"steps\":12,\"until\":{\"op\":\"lock\",\"at\":\"queue.cc:41:5\","
                "\"in\":\"Queue::pop\",\"line_in_function\":3,\"occurrence\":3},\"to\":1}"));
}

TEST(Trace, TooManySwitchesLeaveTheExactForm) {
  Trace trace = example();
  trace.switches.assign(kMaxSwitches + 1, trace.switches[0]);
  const auto read = parse_trace(format_trace(trace));
  ASSERT_TRUE(read.has_value());
  EXPECT_TRUE(read->switches.empty());
  EXPECT_EQ(read->schedule.size(), 3u);
}

struct BadCase {
  const char* name;
  std::string replace, by;
  const char* problem;
};
class BadTrace : public testing::TestWithParam<BadCase> {};

TEST_P(BadTrace, IsRefusedWithAReason) {
  std::string text = format_trace(example());
  const std::size_t at = text.find(GetParam().replace);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, GetParam().replace.size(), GetParam().by);
  const auto read = parse_trace(text);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(read.error().message, HasSubstr(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadTrace,
    testing::Values(
        BadCase{"Foreign", "\"snag\": \"trace\"", "\"snag\": \"other\"", "not a Snag trace"},
        BadCase{"NewerVersion", "\"version\": 1", "\"version\": 2", "version 2"},
        BadCase{"UnknownKind", "\"kind\":\"deadlock\"", "\"kind\":\"weather\"", "unknown name"},
        BadCase{"MissingField", "\"steps\": 16", "\"stairs\": 16", "'steps' is missing"},
        BadCase{"NegativeNumber", "\"steps\": 16", "\"steps\": -16", "'steps' is not a number"},
        BadCase{"WrongSum", "0*12", "0*13", "does not add up"},
        BadCase{"EmptyStretch", "0*12", "0*0", "empty stretch"},
        BadCase{"BigThread", "2*3", "8192*3", "bad number"},
        BadCase{"BigThreadInSwitch", "\"thread\":0,\"steps\":12", "\"thread\":9000,\"steps\":12",
                "'thread'"},
        BadCase{"ChoiceOutOfRange", "[7,3,2]", "[7,3,3]", "'choices'"},
        BadCase{"ChoiceOfText", "[7,3,2]", "[7,3,\"x\"]", "'choices'"},
        BadCase{"BadPoint", "3+0x20", "300+0x20", "bad number"},
        BadCase{"BadPlace", "queue.cc:41:5", "queue.cc", "'at'"},
        BadCase{"CutOff", "\"switches\"", "\"swi", "cut off or damaged"}),
    [](const auto& test) { return test.param.name; });

TEST(Trace, EmptyAndForeignTexts) {
  for (const char* text : {"", "hello", "[]", "{}", "null", "3", "\"trace\"", "{\"snag\":3}",
                           "\x7f"
                           "ELF"}) {
    EXPECT_FALSE(parse_trace(text).has_value()) << text;
  }
  // Deeper than any stack.
  EXPECT_FALSE(parse_trace(std::string(1 << 20, '[')).has_value());
}

// Whatever a byte flip, a deletion or a repetition does: an answer, and no accident.
// Their trees would take gigabytes.
TEST(Trace, DeepAndWideTextsAreRefusedBeforeTheyAreRead) {
  const std::string start = "{\n\"snag\": \"trace\", \"version\": 1, \"x\": ";
  std::string wide = start + "[0";
  for (int i = 0; i < 3'000'000; ++i) wide += ",0";
  for (const std::string& text : {start + std::string(10'000'000, '['), wide + "]}"}) {
    const auto trace = parse_trace(text);
    ASSERT_FALSE(trace.has_value());
    EXPECT_THAT(trace.error().message, testing::HasSubstr("bigger or deeper than any"));
  }
  // Brackets and commas in strings do not count.
  Trace trace = example();
  trace.failure.message = "[[[[[[[[[[[[[[[[[[[[[[[[\\\"[[[";
  EXPECT_EQ(parse_trace(format_trace(trace)).value().failure.message, trace.failure.message);
}

TEST(Trace, MutatedTextsAreAnswered) {
  const std::string original = format_trace(example());
  Random random(1);
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = original;
    for (std::uint32_t n = random.below(4) + 1; n > 0 && !text.empty(); --n) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
      const std::size_t length = random.below(20);
      switch (random.below(5)) {
        case 0:
          text[at] = static_cast<char>(random.next());
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(at, length));
          break;
        case 3:
          text[at] = static_cast<char>('0' + random.below(10));
          break;
        default:
          text.resize(at);
      }
    }
    const auto read = parse_trace(text);
    if (!read) {
      EXPECT_FALSE(read.error().message.empty());
      continue;
    }
    ++accepted;
    std::uint64_t steps = 0;
    for (const Stretch& stretch : read->schedule) {
      EXPECT_LT(stretch.thread, kMaxThreads);
      steps += stretch.steps;
    }
    EXPECT_EQ(steps, read->steps);
  }
  EXPECT_GT(accepted, 0);
}

class TraceFile : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/snag-trace-XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(TraceFile, IsTheUsersAlone) {
  const std::string traces = folder_ / "traces";
  const auto path = write_new_trace(traces, example());
  ASSERT_TRUE(path.has_value()) << path.error().message;
  EXPECT_EQ(*path, traces + "/queue_test-deadlock-1.snag");
  struct stat info {};
  ASSERT_EQ(stat(path->c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_EQ(stat(traces.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(TraceFile, NeverReplacesAnother) {
  const auto first = write_new_trace(folder_, example());
  const auto second = write_new_trace(folder_, example());
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  EXPECT_TRUE(rewrite_trace(*first, example()).has_value());
  // Nothing temporary is left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

TEST_F(TraceFile, UnreadableFilesAreNamed) {
  EXPECT_THAT(read_trace(folder_ / "none.snag").error().message, HasSubstr("No such file"));
  EXPECT_THAT(read_trace(folder_).error().message, HasSubstr("not a regular file"));
  EXPECT_THAT(read_trace("/dev/zero").error().message, HasSubstr("not a regular file"));
  const std::string big = folder_ / "big.snag";
  std::ofstream(big).put('x');
  std::filesystem::resize_file(big, kMaxTraceBytes + 1);
  EXPECT_THAT(read_trace(big).error().message, HasSubstr("bigger than any trace"));
}

}  // namespace
}  // namespace snag::trace
