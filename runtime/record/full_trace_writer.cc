#include "runtime/record/full_trace_writer.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/check.h"
#include "runtime/base/modules.h"
#include "runtime/record/memory_events.h"

namespace snag::rt {

constinit bool full_trace_on = false;

namespace {

constinit FullTrace* trace = nullptr;

ModulePc relative(std::uint64_t pc) { return pc == 0 ? 0 : module_pc(g.shared, pc); }

void append(const TraceEvent& event) {
  const std::uint64_t count = trace->count.load(std::memory_order_relaxed);
  const std::uint64_t lost = trace->lost.load(std::memory_order_relaxed);
  if (count >= trace->capacity || lost != 0) {
    trace->lost.store(lost + 1, std::memory_order_relaxed);
    return;
  }
  trace->events()[count] = event;
  trace->count.store(count + 1, std::memory_order_release);
}

}  // namespace

void init_full_trace(Shared* shared) {
  if (shared->config.full_trace_fd == 0) return;
  const int descriptor = shared->config.full_trace_fd;
  struct stat info {};
  SNAG_CHECK(fstat(descriptor, &info) == 0 && info.st_size >= static_cast<off_t>(sizeof(FullTrace)),
             "the file for the full trace is not there");
  const auto size = static_cast<std::size_t>(info.st_size);
  void* memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  SNAG_CHECK(memory != MAP_FAILED, "no memory for the full trace");
  close(descriptor);
  trace = static_cast<FullTrace*>(memory);
  SNAG_CHECK(trace->magic == kFullTraceMagic && trace->version == kFullTraceVersion &&
                 FullTrace::size_for(trace->capacity) <= size,
             "the file for the full trace is of another version");
  memory_events = true;
  full_trace_on = true;
}

void trace_event_of(Tid thread, TraceKind kind, std::uint64_t pc, std::uint64_t address,
                    std::uint64_t size, std::uint8_t detail) {
  append({relative(pc), address, size, thread, kind, detail, 0});
}

void trace_event(TraceKind kind, std::uint64_t pc, std::uint64_t address, std::uint64_t size,
                 std::uint8_t detail) {
  trace_event_of(g.current->tid, kind, pc, address, size, detail);
}

void trace_enter(std::uint64_t pc, std::uint64_t caller) {
  trace_event(TraceKind::kEnter, pc, relative(caller));
}

void trace_want(const Thread* t, OpKind kind, std::uint64_t object, std::uint64_t pc) {
  TraceLock lock;
  switch (kind) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTimedLock:
      lock = TraceLock::kMutex;
      break;
    case OpKind::kRwReadLock:
      lock = TraceLock::kRwRead;
      break;
    case OpKind::kRwWriteLock:
      lock = TraceLock::kRwWrite;
      break;
    case OpKind::kSpinLock:
      lock = TraceLock::kSpin;
      break;
    default:
      return;
  }
  trace_event_of(t->tid, TraceKind::kWant, pc, object, 0, static_cast<std::uint8_t>(lock));
}

void trace_acquire(const SyncObject* object, std::uint64_t pc) {
  const bool exclusive = object->owner == g.current->tid;
  const TraceLock lock = !exclusive                          ? TraceLock::kRwRead
                         : object->what == LockKind::kRwLock ? TraceLock::kRwWrite
                         : object->what == LockKind::kSpin   ? TraceLock::kSpin
                                                             : TraceLock::kMutex;
  trace_event(TraceKind::kAcquire, pc, object->address, 0, static_cast<std::uint8_t>(lock));
}

void trace_step(const Thread* t, const Op& op) {
  switch (op.kind) {
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
    case OpKind::kFree:
      return;
    default:
      trace_event_of(t->tid, TraceKind::kSync, op.pc, op.object, 0,
                     static_cast<std::uint8_t>(op.kind));
  }
}

}  // namespace snag::rt
