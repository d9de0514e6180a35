// A failing run, copied out of the shared memory. The program under test may have overwritten that
// memory: every count is bounded and every string terminated here, so that the rest of the tool can
// trust what it reads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/shared_memory.h"
#include "tool/binary/module_map.h"
#include "tool/session/changed_files.h"

namespace snag::session {

struct FailedRun {
  FailureKind kind = FailureKind::kNone;
  std::int32_t detail = 0;
  Tid thread = kNoTid;
  std::uint64_t fault_address = 0;
  std::uint64_t lock = 0;  // the lock that was misused, or that a thread waits for and holds itself
  std::string message;
  bool covered = false;   // not a failure: the run covered Config::wanted and exited well
  bool diverged = false;  // a replay that could not follow its schedule; `message` says why

  std::uint64_t number = 0;
  std::uint64_t seed = 0;
  StrategyKind strategy = StrategyKind::kRandom;
  std::uint64_t event_hash = 0;
  std::uint32_t thread_count = 0;
  std::uint32_t contexts = 0;  // the program had these before the run

  std::vector<ThreadReport> threads;
  std::vector<std::string> thread_names;  // of all threads, by number; empty: it has none
  std::vector<Step> steps;
  std::vector<std::uint64_t> frames;  // kStepFrames per step; empty if they were not recorded
  std::vector<StepValue> values;      // one per step; empty if they were not recorded
  std::vector<Choice> choices;
  std::vector<ModulePc> points;
  binary::ModuleMap modules;

  std::optional<RaceReport> race;  // also set next to another failure, if the run had a race
  std::optional<HeapReport> heap;  // of FailureKind::kHeap
  FileChanges changed_files;       // by this run and those before it
  FileChanges used_changes;        // of earlier runs: files that this run used
  std::string output;              // the end of its output, if that was kept

  // Of the failure's kind, or "covered".
  std::string_view kind_name() const;

  // The report of that thread, or nullptr.
  const ThreadReport* thread_report(Tid thread) const;

  // Whether the thread cannot go on: a thread of the cycle if threads wait for each other in one,
  // otherwise any that is blocked.
  bool is_stuck(const ThreadReport& thread) const;

  // Whether the failure is about this thread: the one that failed, or, if threads wait for each
  // other, one that is stuck.
  bool concerns(const ThreadReport& thread) const;

  std::string thread_name(Tid thread) const;

  // Return addresses above a step, innermost first, a zero behind the last unless there are
  // kStepFrames; empty if they were not recorded.
  std::span<const std::uint64_t> callers(std::uint64_t step) const;
};

enum class CopyDepth { kSummary, kEverything };  // without or with steps, choices and points

// The run in `shared` that the server has stopped at.
FailedRun copy_failed_run(Shared& shared, CopyDepth depth);

binary::ModuleMap copy_modules(const Shared& shared);

// The characters up to the first zero, at most `size` of them; unprintable ones become '?'.
std::string bounded_string(const char* text, std::size_t size);

}  // namespace snag::session
