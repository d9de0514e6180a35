// How `snag gen` is to test a class (what to test is GenTarget), and the outcome.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/explore/explorer.h"
#include "tool/gen/judge/judge.h"
#include "tool/gen/model/test.h"
#include "tool/gen/session/policy.h"

namespace snag::gen {

struct GenSessionOptions {
  PolicyKind policy = PolicyKind::kCovcon;
  std::size_t threads = 2;
  bool system_schedules = false;  // run each test once, under the system's scheduler
  std::uint32_t schedules = 40;   // controlled schedules of each test
  std::uint64_t tests = 0;        // limit; 0: none
  double seconds = 60;            // limit; 0: none
  bool keep_going = false;
  OracleOptions oracle;
  RunSettings run = WorkerSettings().run;  // the oracle says what is looked for
  double shrink_seconds = 15;              // for each violation: its test, then its schedule
  std::string out = "snag-gen";
};

struct CoveragePoint {
  double seconds = 0;
  std::uint64_t tests = 0;
  std::size_t covered = 0;  // pairs
  std::size_t tried = 0;
};

// Nobody reads more than this, and each costs checking and shrinking.
inline constexpr std::size_t kMostViolations = 50;

struct GenTotals {
  std::uint64_t tests = 0;
  std::uint64_t runs = 0;  // of tests: schedules
  std::uint64_t sequences = 0;
  std::uint64_t linearizations = 0;
  std::uint64_t unjudged = 0;
  std::uint64_t unconfirmed = 0;  // looked like a violation, but did not happen again
  std::uint64_t beyond = 0;       // looked like a violation after kMostViolations were found
  std::uint64_t restarts = 0;     // of the worker
  std::size_t violations = 0;
  std::size_t pairs = 0, covered = 0, tried = 0;
  double seconds = 0;
};

struct LeftOut {
  std::string name;
  std::string why;
};

// The type of the expression that makes an object.
enum class MadeAs { kObject, kPointer, kOwner, kReference };
inline constexpr const char* kMadeAsNames[] = {"object", "pointer", "owner", "reference"};

// A call as C++.
struct CallText {
  std::vector<std::string> declarations;  // statements before it
  std::vector<std::string> outputs;       // expressions for the final values of its arguments
  std::string expression;
  MadeAs made_as = MadeAs::kObject;
};

struct TestText {
  CallText object;
  std::optional<CallText> second;
  std::vector<CallText> prefix;
  std::vector<std::vector<CallText>> suffixes;
};

struct FoundViolation {
  Violation violation;             // of the smallest test
  std::size_t calls_at_first = 0;  // of the test that showed it first
  std::uint64_t count = 1;         // tests that showed it
  std::uint64_t tests = 0;         // run until it was found, including this one
  double seconds = 0;              // until it was found
  TestText text;
  std::string test_file;                    // empty: could not be written
  std::string gtest_file;                   // empty: could not be written
  std::vector<std::string> unwritten;       // why files are missing
  std::optional<explore::Finding> finding;  // of the whole-program run, with the trace
};

struct Outcome {
  std::vector<FoundViolation> violations;
  GenTotals totals;
  std::vector<LeftOut> left_out;
  std::vector<std::uint16_t> observers;  // that were used in the end
  std::vector<std::uint16_t> ignored;
  std::vector<CoveragePoint> curve;
  std::optional<PairCounts> pairs;
  std::string unsupported;
  bool interrupted = false;
  std::optional<Error> error;
};

struct GenHooks {
  std::function<void(const GenTotals&)> progress = [](const GenTotals&) {};
  // Called for each new violation, which is the last one of the outcome.
  std::function<void(const Outcome&)> found = [](const Outcome&) {};
  std::function<bool()> should_stop = [] { return false; };
};

}  // namespace snag::gen
