// A failure as reports show it: program counters turned into source lines, objects into names. The
// reports only arrange what is here, so that each format can be tested with a failure made by hand.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tool/binary/symbolizer.h"
#include "tool/explore/explorer.h"
#include "tool/report/view/frame_view.h"
#include "tool/report/view/interleaving.h"
#include "tool/report/view/memory_view.h"
#include "tool/report/view/untimely_end.h"

namespace snag::report {

struct ThreadView {
  Tid thread = 0;
  std::string name;
  ThreadStatus status = ThreadStatus::kRunnable;
  OpKind op = OpKind::kNone;  // what it is about to do, or waits in
  std::string object;         // name of what it waits for, or a letter
  std::optional<Tid> held_by;
  bool in_cycle = false;
  bool timed = false;
  std::vector<FrameView> stack;  // innermost first, the user's own frames
  std::optional<FrameView>
      missed_signal;  // lost wakeup: the signal that came when no thread waited
  std::optional<Tid> missed_signal_by;
};

// Another pair of places at which the variable of a race races.
struct RacePlacesView {
  std::string variable;  // the full name: elements of an array differ
  AccessView first, second;
  std::string trace_path;
  bool confirmed = false;
  std::string replay_problem;
  std::uint64_t count = 1;
};

struct FailureView {
  FailureKind kind = FailureKind::kNone;
  bool covered = false;  // not a failure: the run covered the wanted pair
  std::int32_t detail = 0;
  std::string message;
  std::optional<Tid> thread;  // the thread that failed
  std::vector<ThreadView> threads;

  std::uint64_t runs = 0;  // until it was found, including this one
  std::uint64_t run = 0;
  std::uint64_t seed = 0;
  StrategyKind strategy = StrategyKind::kRandom;
  std::uint64_t steps = 0;
  std::uint64_t event_hash = 0;
  std::uint64_t switch_count = 0;
  Interleaving interleaving;
  std::optional<RaceView> race;              // also set next to another failure
  std::vector<RacePlacesView> other_places;  // of a race, besides those of `race`
  std::uint64_t left_out_places = 0;         // more of these, that were not kept
  std::optional<HeapView> heap;
  std::optional<UntimelyEndView> untimely_end;
  std::optional<std::uint64_t> shrunk_from;  // switches, when it was found
  std::uint64_t shrink_attempts = 0;         // now, in this run of snag
  double shrink_seconds = 0;

  session::FileChanges used_changes;  // files that earlier runs had changed, and this run used

  std::string trace_path;
  bool confirmed = false;
  std::string replay_problem;
  std::uint64_t count = 1;
  std::string output;
};

// The failure in a sentence or a few, with the names of variables.
std::string message_of(const FailureView& failure);

FailureView view_of(const explore::Finding& finding, binary::Symbolizer& symbolizer,
                    SourceText& source);

// One view for each failure: races on the same variable are one.
std::vector<FailureView> views_of(std::span<const explore::Finding> findings,
                                  binary::Symbolizer& symbolizer, SourceText& source);

// The parts of a run alone, for a replay.
void fill_from_run(FailureView& view, const session::FailedRun& run, binary::Symbolizer& symbolizer,
                   SourceText& source);

}  // namespace snag::report
