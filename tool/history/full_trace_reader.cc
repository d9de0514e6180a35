#include "tool/history/full_trace_reader.h"

#include <algorithm>
#include <new>

namespace snag::history {

std::vector<TracedRun> split_runs(std::span<const TraceEvent> events, bool cut) {
  std::vector<TracedRun> runs;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= events.size(); ++i) {
    if (i < events.size() && events[i].kind != TraceKind::kRunBegin) continue;
    if (!runs.empty()) runs.back().events = events.subspan(begin, i - begin);
    if (i == events.size()) break;
    runs.push_back({events[i].address, {}, false});
    begin = i + 1;
  }
  if (cut && !runs.empty()) runs.back().cut = true;
  return runs;
}

Expected<FullTraceFile> FullTraceFile::create(std::uint64_t capacity) {
  const std::uint64_t size = FullTrace::size_for(capacity);
  // The program closes it once it is mapped.
  auto file = SharedFile::create("snag-full-trace", size, true);
  if (!file) return tl::unexpected(file.error());
  auto* trace = new (file->memory()) FullTrace;
  trace->magic = kFullTraceMagic;
  trace->version = kFullTraceVersion;
  trace->capacity = capacity;
  return FullTraceFile(std::move(*file));
}

std::span<const TraceEvent> FullTraceFile::events() const {
  // The program may have written anything there: only the size of the file can be trusted.
  const std::uint64_t most = (file_.size() - sizeof(FullTrace)) / sizeof(TraceEvent);
  return {trace().events(), std::min(trace().count.load(std::memory_order_acquire), most)};
}

std::vector<TracedRun> FullTraceFile::runs() const { return split_runs(events(), lost() != 0); }

void FullTraceFile::clear() {
  trace().count.store(0);
  trace().lost.store(0);
}

}  // namespace snag::history
