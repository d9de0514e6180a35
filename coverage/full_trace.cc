#include "coverage/full_trace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace snag::coverage {

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

engine::Expected<FullTraceFile> FullTraceFile::create(std::uint64_t capacity) {
  const std::uint64_t size = FullTrace::size_for(capacity);
  // Inherited by the program under its number, and closed there once it is mapped.
  const int fd = memfd_create("snag-full-trace", MFD_ALLOW_SEALING);
  void* memory = MAP_FAILED;
  if (fd >= 0 && ftruncate(fd, static_cast<off_t>(size)) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  }
  if (memory == MAP_FAILED) {
    const int error = errno;
    if (fd >= 0) close(fd);
    return engine::internal_error(
        fmt::format("cannot map {} MiB of shared memory for a full trace: {}", size >> 20,
                    std::strerror(error)));
  }
  auto* trace = new (memory) FullTrace;
  trace->magic = kFullTraceMagic;
  trace->version = kFullTraceVersion;
  trace->capacity = capacity;
  return FullTraceFile(fd, size, trace);
}

FullTraceFile::~FullTraceFile() {
  if (trace_ != nullptr) munmap(trace_, size_);
  if (fd_ >= 0) close(fd_);
}

std::span<const TraceEvent> FullTraceFile::events() const {
  // The program may have written anything there: the size of the file is what counts.
  const std::uint64_t most = (size_ - sizeof(FullTrace)) / sizeof(TraceEvent);
  return {trace_->events(), std::min(trace_->count.load(std::memory_order_acquire), most)};
}

std::vector<TracedRun> FullTraceFile::runs() const { return split_runs(events(), lost() != 0); }

void FullTraceFile::clear() {
  trace_->count.store(0);
  trace_->lost.store(0);
}

}  // namespace snag::coverage
