// Implements runtime/sched/observer.h: writes everything that the threads of a controlled run
// do to the tool's file, if the tool asks for it: see protocol/full_trace.h.

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "protocol/full_trace.h"
#include "runtime/base/check.h"
#include "runtime/base/modules.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

namespace {

constinit FullTrace* trace = nullptr;

ModulePc relative(std::uint64_t pc) { return pc == 0 ? 0 : module_pc(sched.shared, pc); }

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

void event_of(Tid thread, TraceKind kind, std::uint64_t pc, std::uint64_t address,
              std::uint64_t size = 0, std::uint8_t detail = 0) {
  append({relative(pc), address, size, thread, kind, detail, 0});
}

void event(TraceKind kind, std::uint64_t pc, std::uint64_t address, std::uint64_t size = 0,
           std::uint8_t detail = 0) {
  event_of(sched.current->tid, kind, pc, address, size, detail);
}

TraceKind trace_kind(AccessKind kind) {
  switch (kind) {
    case AccessKind::kRead:
      return TraceKind::kRead;
    case AccessKind::kWrite:
      return TraceKind::kWrite;
    case AccessKind::kAtomicRead:
      return TraceKind::kAtomicRead;
    case AccessKind::kAtomicWrite:
      return TraceKind::kAtomicWrite;
    case AccessKind::kAtomicModify:
      return TraceKind::kAtomicModify;
    case AccessKind::kCompareFailed:
      return TraceKind::kCompareFailed;
  }
  __builtin_unreachable();
}

class FullTraceObserver final : public Observer {
 public:
  EventMask init(Shared* shared) override {
    if (shared->config.full_trace_fd == 0) return 0;
    const int descriptor = shared->config.full_trace_fd;
    struct stat info {};
    SNAG_CHECK(
        fstat(descriptor, &info) == 0 && info.st_size >= static_cast<off_t>(sizeof(FullTrace)),
        "the file for the full trace is not there");
    const auto size = static_cast<std::size_t>(info.st_size);
    void* memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    SNAG_CHECK(memory != MAP_FAILED, "no memory for the full trace");
    raw_syscall(SYS_close, descriptor);
    trace = static_cast<FullTrace*>(memory);
    SNAG_CHECK(trace->magic == kFullTraceMagic && trace->version == kFullTraceVersion &&
                   FullTrace::size_for(trace->capacity) <= size,
               "the file for the full trace is of another version");
    return kObservesSteps | kObservesAccesses | kObservesCalls | kObservesLocks | kObservesMemory |
           kObservesGuardedMemory;
  }

  void begin_run(const Shared* shared, bool) override {
    if (trace) event(TraceKind::kRunBegin, 0, shared->run.number);
  }

  void step(const Thread* t, const void*, std::uint64_t) override {
    const Op& op = sched.pending[t->tid];
    if (is_memory_access(op.kind) || op.kind == OpKind::kFree)
      return;  // these have their own events
    event_of(t->tid, TraceKind::kSync, op.pc, op.object, 0, static_cast<std::uint8_t>(op.kind));
  }

  void accessed(AccessKind kind, const volatile void* address, std::uint64_t size,
                std::uint64_t pc) override {
    event(trace_kind(kind), pc, reinterpret_cast<std::uint64_t>(address), size);
  }

  void entered(std::uint64_t pc, std::uint64_t caller) override {
    event(TraceKind::kEnter, pc, relative(caller));
  }
  void left(StackMemory left) override { event(TraceKind::kLeave, 0, left.begin, left.size); }
  void unwound() override { event(TraceKind::kUnwind, 0, sched.current->depth); }
  void stack_left(StackMemory left) override { event(TraceKind::kStack, 0, left.begin, left.size); }

  void allocated(const void* begin, std::uint64_t size, bool) override {
    event(TraceKind::kAllocate, 0, reinterpret_cast<std::uint64_t>(begin), size);
  }
  void freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool, bool) override {
    event(TraceKind::kFree, pc, reinterpret_cast<std::uint64_t>(begin), size);
  }

  void thread_created(const Thread* child) override {
    event(TraceKind::kThreadCreate, 0, child->tid);
    const Context* context = child->context;
    event_of(child->tid, TraceKind::kStack, 0, context->stack_begin, context->stack_size);
  }
  void thread_joined(const Thread* ended) override { event(TraceKind::kThreadJoin, 0, ended->tid); }
  void thread_ended() override { event(TraceKind::kThreadEnd, 0, 0); }

  void wants(const Thread* t, OpKind kind, const SyncObject* object, std::uint64_t pc) override {
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
    event_of(t->tid, TraceKind::kWant, pc, object->address, 0, static_cast<std::uint8_t>(lock));
  }
  void locked(const SyncObject* object, std::uint32_t, std::uint64_t pc) override {
    const bool exclusive = object->owner == sched.current->tid;
    const TraceLock lock = !exclusive                          ? TraceLock::kRwRead
                           : object->what == LockKind::kRwLock ? TraceLock::kRwWrite
                           : object->what == LockKind::kSpin   ? TraceLock::kSpin
                                                               : TraceLock::kMutex;
    event(TraceKind::kAcquire, pc, object->address, 0, static_cast<std::uint8_t>(lock));
  }
  void unlocked(const SyncObject* object, std::uint32_t) override {
    event(TraceKind::kRelease, 0, object->address);
  }
};

constinit FullTraceObserver observer;

}  // namespace

Observer* full_trace_observer() { return &observer; }

}  // namespace snag::rt
