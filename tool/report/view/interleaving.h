// What led to a failure, as rows in the order of time: who did what where, with the values, and
// what was left out. Pure data: table.h lays it out, json.h writes it down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tool/binary/symbolizer.h"
#include "tool/report/view/frame_view.h"
#include "tool/report/view/object_names.h"
#include "tool/session/failed_run.h"

namespace snag::report {

struct Event {
  enum class Kind : std::uint8_t {
    kStep,
    kWaits,    // at the end: what the thread waits for, forever
    kPending,  // at the end: what the thread did not reach
    kFolded,   // steps that are left out
    kFailure,  // the end
  };
  Kind kind = Kind::kStep;
  Tid thread = kNoTid;     // kFolded: kNoTid if it was several
  std::uint64_t step = 0;  // from 1; kFolded: the first; otherwise 0
  // The row before it is another thread's, which could have continued: the scheduler chose this
  // one.
  bool is_switch = false;
  bool is_accused = false;  // the failure is about it: an access of a data race or heap error
  bool is_undone = false;   // the run ended before it had happened

  OpKind op = OpKind::kNone;
  FrameView place;
  std::string object;
  std::optional<std::string> value_before, value_after;
  std::optional<Tid> held_by;  // kWaits
  std::string note;            // "no waiter so far"; kFailure: what failed

  std::uint64_t folded = 0;  // kFolded: how many steps
  std::uint64_t rounds = 0;  // kFolded: number of rounds of the loop that these were
  bool is_minor = false;     // kFolded: few, and nothing that matters
};

struct InterleavingThread {
  Tid thread = 0;
  std::string name;
};

struct Interleaving {
  std::vector<InterleavingThread> threads;  // that have a part in it, by number
  std::vector<InterleavingThread> others;   // that have none
  std::vector<Event> events;
};

// Adds the objects of the rows to the names, for the rest of the report.
Interleaving interleaving_of(const session::FailedRun& run, binary::Symbolizer& symbolizer,
                             SourceText& source, ObjectNames& names);

// "T1", "T0 (main)", "T2 (worker)"
std::string thread_label(Tid thread, const std::string& name);

// "7", "-1", "0x7f00deadbeef": numbers as a person would write them. The type is not known.
std::string value_text(std::uint64_t value, int size);

// "writes count_ = 1 -> 2", "waits for A (to.mutex), held by T2"
std::string event_text(const Event& event);

}  // namespace snag::report
