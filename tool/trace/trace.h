// The trace file: everything that is needed to see one failure again.
// docs/reference/trace-format.md describes it.
//
// It holds the schedule twice: exactly, for the very binary that failed, and as switches at source
// positions, for a binary that was edited and compiled again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/shared_memory.h"
#include "tool/base/error.h"
#include "tool/base/names.h"
#include "tool/base/process.h"
#include "tool/session/failed_run.h"
#include "tool/trace/position.h"

namespace snag::trace {

inline constexpr int kTraceVersion = 1;
// No real trace comes near this; bigger files are rejected.
inline constexpr std::uint64_t kMaxTraceBytes = 64 << 20;
// More switches than this are too many to read, and an edited program could not follow them: then
// only the exact form is kept.
inline constexpr std::size_t kMaxSwitches = 10'000;
// Each step takes 48 bytes more with its callers.
inline constexpr std::uint64_t kMaxStepsWithFrames = 4'000'000;
inline constexpr std::uint64_t kMaxTraceSteps = 100'000'000;

struct TraceFailure {
  FailureKind kind = FailureKind::kNone;
  std::int32_t detail = 0;
  std::string message;
  Tid thread = kNoTid;
  std::string location;  // "queue.cc:41"
  bool covered = false;  // not a failure: the run covered Trace::wanted

  // Of the kind, or "covered".
  std::string_view kind_name() const { return covered ? kCoveredName : name_of(kind); }
};

struct Trace {
  Program program;
  std::uint64_t program_hash = 0;
  RunSettings settings;
  ModulePc race_pcs[2] = {};  // kRace: the places of the two accesses
  WantedPair wanted{};        // of a covered pair: the places of the two accesses
  std::uint64_t run = 0;
  std::uint32_t contexts = 0;  // made before the run; 0: not known, or none
  TraceFailure failure;
  bool confirmed = false;
  std::uint64_t event_hash = 0;
  std::uint64_t steps = 0;
  std::vector<ModulePc> points;
  std::vector<Choice> choices;
  std::vector<Stretch> schedule;
  std::vector<Switch> switches;
  std::optional<std::uint64_t> shrunk_from;  // how many switches the schedule had when it was found
};

// Whether a replay of the trace records the callers of its steps: where the switches are listed,
// and the callers do not take too much memory.
bool wants_frames(const Trace& trace);

// Whether the positions of the switches were computed with the callers of the steps. A run that
// could not be replayed has no callers.
bool has_frames(const Trace& trace);

std::string format_trace(const Trace& trace);
// The text is untrusted: checks types, ranges and sizes before using anything.
Expected<Trace> parse_trace(std::string_view text);

Expected<Trace> read_trace(const std::string& path);

// Writes `<program>-<kind>-<n>.snag` into the folder (made when missing), n the first free number;
// returns the path.
Expected<std::string> write_new_trace(const std::string& folder, const Trace& trace);
// Replaces the file in one step: a reader sees the old or the new one.
Expected<void> rewrite_trace(const std::string& path, const Trace& trace);

}  // namespace snag::trace
