// The full trace of controlled runs, on the tool's side: the memory file that the program writes it
// to (see protocol/full_trace.h), and its runs.
//
//   auto trace = FullTraceFile::create(kDefaultTraceEvents);
//   options.config.full_trace_fd = trace->fd();
//   ... Session::start(program, options), until it is over ...
//   for (const TracedRun& run : trace->runs()) ...
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "protocol/full_trace.h"
#include "tool/base/error.h"
#include "tool/base/shared_file.h"

namespace snag::history {

// 32 bytes each, of which only those that are used cost memory.
inline constexpr std::uint64_t kDefaultTraceEvents = 16 << 20;

struct TracedRun {
  std::uint64_t number = 0;
  std::span<const TraceEvent> events;  // without the one that begins the run
  bool cut = false;                    // more happened, but did not fit
};

// The runs in a sequence of events; `cut`: more events followed them.
std::vector<TracedRun> split_runs(std::span<const TraceEvent> events, bool cut);

class FullTraceFile {
 public:
  static Expected<FullTraceFile> create(std::uint64_t capacity);

  // For Config::full_trace_fd. Passed on to programs that are started.
  int fd() const { return file_.fd(); }
  // The runs recorded so far. The spans are valid as long as this object, until clear().
  std::vector<TracedRun> runs() const;
  std::span<const TraceEvent> events() const;
  // Events that did not fit: from the last of runs() on, and whole runs after it.
  std::uint64_t lost() const { return trace().lost.load(); }
  // Makes room, while the program does not run.
  void clear();

 private:
  explicit FullTraceFile(SharedFile file) : file_(std::move(file)) {}
  FullTrace& trace() const { return *static_cast<FullTrace*>(file_.memory()); }

  SharedFile file_;
};

}  // namespace snag::history
