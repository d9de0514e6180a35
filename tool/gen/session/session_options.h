// What `snag gen` was asked for, and what came of it.
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
  std::uint64_t seed = 1;
  std::size_t threads = 2;
  bool system_schedules = false;  // one run of each test under the system's scheduler
  std::uint32_t schedules = 40;   // controlled ones of each test
  std::uint64_t tests = 0;        // at most; 0: no limit
  double seconds = 60;            // at most; 0: no limit
  bool keep_going = false;
  OracleOptions oracle;
  double hang_seconds = 2;
  double shrink_seconds = 15;  // for each violation: its test, then its schedule
  std::string out = "snag-gen";
};

struct CoveragePoint {
  double seconds = 0;
  std::uint64_t tests = 0;
  std::size_t covered = 0;  // pairs
  std::size_t tried = 0;
};

// More of them nobody reads, and each is checked, made smaller and kept.
inline constexpr std::size_t kMostViolations = 50;

struct GenTotals {
  std::uint64_t tests = 0;
  std::uint64_t runs = 0;  // of tests: schedules
  std::uint64_t sequences = 0;
  std::uint64_t linearizations = 0;
  std::uint64_t unjudged = 0;
  std::uint64_t unconfirmed = 0;  // what looked like a violation, and did not come back
  std::uint64_t beyond = 0;       // what looked like one more than a session reports
  std::uint64_t restarts = 0;     // of the worker
  std::size_t violations = 0;
  std::size_t pairs = 0, covered = 0, tried = 0;
  double seconds = 0;
};

struct LeftOut {
  std::string name;
  std::string why;
};

// What the expression that makes an object is.
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
  std::uint64_t count = 1;         // tests that showed the like, in the end
  std::uint64_t tests = 0;         // before it was found, itself included
  double seconds = 0;              // until it was found
  TestText text;
  std::string test_file;                    // empty: could not be written; as is
  std::string gtest_file;                   // this
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
  // When there is a new one: the last of the outcome's violations.
  std::function<void(const Outcome&)> found = [](const Outcome&) {};
  std::function<bool()> should_stop = [] { return false; };
};

}  // namespace snag::gen
