#include "runtime/cover/cover.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "runtime/base/arena.h"
#include "runtime/base/modules.h"
#include "runtime/cover/lock_waits.h"
#include "runtime/cover/method_pairs.h"
#include "runtime/cover/place_numbers.h"
#include "runtime/cover/recorder.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

namespace {

// Of a program that runs freely.
constinit Module modules[kMaxModules]{};
constinit std::uint32_t module_count = 0;

// Under control: the caches, shared by all threads of all runs.
constinit CoverTransition* transitions = nullptr;

// Null if it is not a store, or one of another version.
CoverStore* map_store(int descriptor) {
  struct stat info;
  if (fstat(descriptor, &info) != 0 || info.st_size < static_cast<off_t>(sizeof(CoverStore)))
    return nullptr;
  void* memory = mmap(nullptr, sizeof(CoverStore), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* store = static_cast<CoverStore*>(memory);
  if (store->magic == kCoverMagic && store->version == kCoverVersion) return store;
  munmap(memory, sizeof(CoverStore));
  return nullptr;
}

void say(CoverStore* store, const char* message) {
  strncpy(store->message, message, sizeof store->message - 1);
}

// False if it cannot be done; the store then says why.
bool prepare(CoverStore* store, bool under_control) {
  cover_tables.attach(store);
  if (const char* problem = map_cover_planes()) {
    say(store, problem);
    return false;
  }
  if (!cover_states.init(&cover_tables, under_control)) {
    say(store, "there is no memory for the tables of coverage");
    return false;
  }
  init_cover_methods();
  cover_locks_on = cover_tables.measures(Metric::kSync);
  return true;
}

constexpr EventMask kMemoryEvents = kObservesMemory | kObservesGuardedMemory;

// Null if there are too many threads.
CoverStack* stack_of(const Thread* t) {
  return t->tid < kMaxCoverThreads ? cover_stack(t->tid) : nullptr;
}

// A program that runs freely has loaded a library.
void find_new_modules_freely() {
  // Two threads may load libraries at the same time.
  static constinit std::atomic_flag lock = ATOMIC_FLAG_INIT;
  while (lock.test_and_set(std::memory_order_acquire)) sched_yield();
  find_modules(modules, &module_count);
  extend_cover_places(modules, module_count);
  lock.clear(std::memory_order_release);
}

// Also on in a program that runs freely, where it gets only `allocated` and `modules_loaded`.
class CoverageObserver final : public Observer {
 public:
  EventMask init(Shared* shared) override {
    on_ = false;
    if (shared->config.cover_fd == 0) return 0;
    const int descriptor = shared->config.cover_fd;
    CoverStore* store = map_store(descriptor);
    raw_syscall(SYS_close, descriptor);
    if (!store) return 0;
    if (!prepare(store, true)) return 0;
    init_cover_places(shared->modules, shared->module_count, true);
    transitions = map_shared<CoverTransition>(kCoverTransitions);
    on_ = true;
    return kObservesSteps | kObservesAccesses | kObservesCalls | kMemoryEvents |
           (cover_locks_on ? kObservesLocks : 0);
  }

  void begin_run(const Shared* shared, bool) override {
    if (!on_) return;
    CoverStore* store = cover_tables.store();
    cover_tables.set_run(shared->run.number);
    store->run.store(static_cast<std::uint32_t>(shared->run.number), std::memory_order_relaxed);
    store->thread_count.store(1, std::memory_order_relaxed);
  }
  void end_run(const Shared* shared) override {
    CoverStore* store = cover_tables.store();
    if (shared->run.number >= kMaxCoverRuns) return;
    store->runs[shared->run.number].end.store(
        static_cast<std::uint32_t>(shared->run.failure.kind) + 1, std::memory_order_release);
  }

  void step(const Thread* t, const void*, std::uint64_t) override {
    const OpKind kind = sched.pending[t->tid].kind;
    if (is_memory_access(kind) || kind == OpKind::kFree) return;  // accesses have their own events
    if (!cover_stacks_on) return;
    if (CoverStack* stack = stack_of(t)) cover_act(stack);
  }

  void accessed(AccessKind access, const volatile void* address, std::uint64_t size,
                std::uint64_t pc) override {
    const Thread* t = sched.current;
    // The next access of another thread does not come directly after the last known one.
    if (t->tid >= kMaxCoverThreads) return cover_forget(const_cast<const void*>(address), size);
    CoverCallers callers;
    if (cover_stacks_on) {
      CoverStack* stack = cover_stack(t->tid);
      callers = stack->callers();
      cover_act(stack);
    }
    const std::uint32_t kind = (reads(access) ? kReads : 0) | (writes(access) ? kWrites : 0);
    const std::uint32_t seen = is_atomic(access) ? kSeenAtomic : kSeenNothing;
    const std::uint32_t location = cover_location(pc, callers, seen | seen_of(kind));
    if (location == 0) return;
    CoverRecorder recorder(transitions, make_access(t->tid, kind, location));
    recorder.record(reinterpret_cast<std::uint64_t>(address), size);
  }

  void entered(std::uint64_t pc, std::uint64_t caller) override {
    cover_tables.store()->calls.fetch_add(1, std::memory_order_relaxed);
    if (!cover_stacks_on) {
      cover_method(pc, {});
    } else if (CoverStack* stack = stack_of(sched.current)) {
      cover_begin_method(stack, pc, caller);
    }
  }
  void left(StackMemory left) override {
    if (cover_stacks_on) {
      if (CoverStack* stack = stack_of(sched.current)) cover_end_method(stack);
    }
    stack_left(left);
  }
  void unwound() override {
    if (!cover_stacks_on) return;
    if (CoverStack* stack = stack_of(sched.current)) stack->depth = sched.current->depth;
  }
  void stack_left(StackMemory left) override {
    cover_forget(reinterpret_cast<void*>(left.begin), left.size);
  }

  void allocated(const void* begin, std::uint64_t size, bool) override {
    cover_forget(begin, size);
  }

  void thread_created(const Thread* child) override {
    const Context* context = child->context;
    cover_forget(reinterpret_cast<void*>(context->stack_begin), context->stack_size);
    CoverStore* store = cover_tables.store();
    store->thread_count.store(child->tid + 1, std::memory_order_relaxed);
    if (child->tid == kMaxCoverThreads) store->lost_threads.fetch_add(1, std::memory_order_relaxed);
  }
  void thread_ended() override {
    if (!cover_stacks_on) return;
    if (CoverStack* stack = stack_of(sched.current)) stack->is_live = 0;
  }

  void wants(const Thread* t, OpKind kind, const SyncObject* lock, std::uint64_t pc) override {
    if (cover_locks_on) cover_want_lock(t, kind, lock, pc);
  }
  void locked(const SyncObject* lock, std::uint32_t, std::uint64_t pc) override {
    if (cover_locks_on) cover_got_lock(lock, pc);
  }
  void unlocked(const SyncObject* lock, std::uint32_t) override {
    if (cover_locks_on) cover_released_lock(lock);
  }

  void modules_loaded() override {
    if (!controlled) return find_new_modules_freely();
    extend_cover_places(sched.shared->modules, sched.shared->module_count);
  }

 private:
  bool on_ = false;  // under control
};

constinit CoverageObserver observer;

}  // namespace

Observer* coverage_observer() { return &observer; }

void begin_covering_freely() {
  const char* text = getenv(kCoverVariable);
  if (!text) return;
  char* end = nullptr;
  const long descriptor = strtol(text, &end, 10);
  if (*text == 0 || *end != 0) return;
  // Leaves the variable and the descriptor as they are: programs that this one starts are measured,
  // too.
  CoverStore* store = map_store(static_cast<int>(descriptor));
  if (!store) return;
  if (!prepare(store, false)) return;
  find_modules(modules, &module_count);
  init_cover_places(modules, module_count, false);
  cover_tables.set_run(store->run.load(std::memory_order_relaxed));
  if (!init_cover_threads()) {
    say(store, "the program has no room for one more thread-specific key");
    return;
  }
  activate_observer(&observer, kMemoryEvents);
  set_hook_mode(HookMode::kCovering);
}

}  // namespace snag::rt
