#include "tool/gen/session/violation_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>

#include "tool/binary/program_check.h"
#include "tool/explore/explorer.h"
#include "tool/gen/judge/shown_run.h"
#include "tool/gen/session/gtest_source.h"
#include "tool/gen/session/result_files.h"
#include "tool/gen/worker/child.h"

namespace snag::gen {
namespace {

constexpr std::uint64_t kRuns = 2000;
constexpr double kSearchSeconds = 60;  // much more than these take, except with very slow calls
// Of the time for making a violation smaller, for its schedule; the rest was for its test.
constexpr double kScheduleShare = 1.0 / 3;

std::string call_line(const char* word, const TestCall& call) {
  std::string line = fmt::format("{} {} {}", word, call.method, call.on_second ? 1 : 0);
  for (const std::uint8_t seed : call.seeds) line += fmt::format(" {}", seed);
  return line + "\n";
}

std::string numbers(const char* word, const std::vector<std::uint16_t>& values) {
  std::string line = word;
  for (const std::uint16_t value : values) line += fmt::format(" {}", value);
  return line + "\n";
}

// File names are limited to 255 characters; class names are not.
constexpr std::size_t kLongestWord = 100;

// "ns::Queue<int>" as part of a file name.
std::string file_word(const std::string& text) {
  std::string word;
  for (const char c : text.substr(0, kLongestWord)) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      word += c;
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  while (!word.empty() && word.back() == '-') word.pop_back();
  return word;
}

}  // namespace

std::string test_file_text(const DriverInfo& driver, const WorkerSettings& settings,
                           const Violation& violation) {
  const Test& test = violation.test;
  std::string text = "snag-gen-test 1\n";
  text +=
      fmt::format("# a test of {}, for the driver that snag gen has built\n", driver.class_name);
  const auto add = [&](const char* word, const TestCall& call) {
    text += fmt::format("# {}\n", driver.methods[call.method].name) + call_line(word, call);
  };
  text += call_line("constructor", test.constructor);
  if (test.second) text += call_line("second", *test.second);
  for (const TestCall& call : test.prefix) add("prefix", call);
  for (const auto& suffix : test.suffixes) {
    text += "thread\n";
    for (const TestCall& call : suffix) add("call", call);
  }
  const bool compares =
      violation.kind == ViolationKind::kResult || violation.kind == ViolationKind::kException;
  if (compares) {
    text += numbers("observers", settings.observers) + numbers("ignored", settings.ignored);
    std::set<std::uint64_t> hashes;
    for (const Linearization& linearization : violation.linearizations) {
      if (linearization.finished) hashes.insert(linearization.outcome.hash);
    }
    for (const std::uint64_t hash : hashes) text += fmt::format("allowed {:x}\n", hash);
    // The exception, and not just a wrong result that the same calls may give.
    if (const CallResult* call = unexpected_throw(violation); call && call->hash != 0)
      text += fmt::format("wanted {:x}\n", call->hash);
  }
  return text;
}

TestText parse_description(const std::string& text, const Test& test) {
  std::vector<CallText> calls(1);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("D ", 0) == 0) calls.back().declarations.push_back(line.substr(2));
    if (line.rfind("O ", 0) == 0) calls.back().outputs.push_back(line.substr(2));
    for (std::size_t i = 0; i < std::size(kMadeAsNames); ++i) {
      if (line == fmt::format("M {}", kMadeAsNames[i]))
        calls.back().made_as = static_cast<MadeAs>(i);
    }
    if (line.rfind("E ", 0) != 0) continue;
    calls.back().expression = line.substr(2);
    calls.emplace_back();
  }
  TestText result;
  std::size_t next = 0;
  const auto take = [&] { return next < calls.size() ? calls[next++] : CallText{}; };
  result.object = take();
  if (test.second) result.second = take();
  for (std::size_t i = 0; i < test.prefix.size(); ++i) result.prefix.push_back(take());
  for (const auto& suffix : test.suffixes) {
    result.suffixes.emplace_back();
    for (std::size_t i = 0; i < suffix.size(); ++i) result.suffixes.back().push_back(take());
  }
  return result;
}

Expected<Search> look_for_schedule(const GenSessionOptions& options, const DriverInfo& driver,
                                   const WorkerSettings& settings, binary::Symbolizer& symbolizer,
                                   const std::function<bool()>& should_stop,
                                   FoundViolation& found) {
  const Violation& violation = found.violation;
  // Report the violation even if its files cannot be written.
  std::error_code ignored;
  std::filesystem::create_directories(options.out, ignored);
  const std::string stem =
      fmt::format("{}/{}-{}", options.out, file_word(driver.class_name),
                  file_word(kViolationNames[static_cast<int>(violation.kind)]));
  const std::string test = test_file_text(driver, settings, violation);
  std::optional<NamelessFile> unnamed;
  std::string test_path;
  auto base = write_numbered_test(stem, test);
  if (base) {
    found.test_file = *base + ".test";
    // Absolute, so that the trace can be replayed from any folder.
    test_path = std::filesystem::absolute(found.test_file).string();
  } else {
    found.unwritten.push_back(base.error().message);
    auto made = NamelessFile::make(test);
    if (!made) return tl::unexpected(made.error());
    test_path = made->path();
    unnamed.emplace(std::move(*made));
  }
  auto description = output_of(driver.executable, {"--describe", test_path}, [] { return false; });
  if (!description) return tl::unexpected(description.error());
  found.text = parse_description(*description, violation.test);
  if (base) {
    found.gtest_file = *base + "_test.cc";  // its own text contains its name
    auto written = write_new_file(found.gtest_file, gtest_source(driver, settings, found));
    if (!written) {
      found.gtest_file.clear();
      found.unwritten.push_back(written.error().message);
    }
  }

  explore::ExploreOptions explore;
  explore.program.path = driver.executable;
  explore.program.argv = {driver.executable, "--test", test_path};
  auto hash = binary::hash_file(driver.executable);
  if (!hash) return tl::unexpected(hash.error());
  explore.program_hash = *hash;
  explore.settings = settings.run;
  explore.settings.races = violation.kind == ViolationKind::kRace ? Races::kFail : Races::kOff;
  explore.settings.heap_checks =
      violation.kind == ViolationKind::kHeap || violation.kind == ViolationKind::kCrash;
  explore.settings.lock_misuse = violation.kind == ViolationKind::kLocks;
  explore.settings.lock_order = false;
  explore.settings.seed = options.run.seed;
  explore.runs = kRuns;
  explore.shrink_time = std::chrono::duration<double>(options.shrink_seconds * kScheduleShare);
  explore.trace_folder = options.out;
  explore.time = std::chrono::duration<double>(kSearchSeconds);
  explore::ExploreHooks hooks;
  hooks.should_stop = should_stop;
  explore::ExploreResult explored = explore::Explorer(explore, symbolizer, hooks).explore();
  if (explored.findings.empty()) {
    const bool is_done = explored.totals.runs >= kRuns || explored.totals.space_exhausted;
    return is_done || explored.error ? Search::kDone : Search::kCutShort;
  }
  found.finding = std::move(explored.findings.front());
  take_shown_run(found.finding->run, driver, settings, found.violation);
  if (explored.error) found.unwritten.push_back(explored.error->message);
  // Without its test, it cannot be replayed.
  if (unnamed && !found.finding->trace_path.empty()) {
    std::filesystem::remove(found.finding->trace_path, ignored);
    found.finding->trace_path.clear();
  }
  return Search::kDone;
}

}  // namespace snag::gen
