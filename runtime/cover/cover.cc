#include "runtime/cover/cover.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/arena.h"
#include "runtime/base/modules.h"
#include "runtime/cover/method_pairs.h"
#include "runtime/cover/place_numbers.h"
#include "runtime/cover/recorder.h"
#include "runtime/cover/sync_pairs.h"
#include "runtime/record/memory_events.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

constinit bool cover_on = false;

namespace {

// Of a program that runs freely.
constinit Module modules[kMaxModules]{};
constinit std::uint32_t module_count = 0;

// Under control: what all threads of all runs remember.
constinit CoverTransition* transitions = nullptr;

// Null if it is none, or one of another version.
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

// False: it cannot be done, and the store says why.
bool prepare(CoverStore* store, bool under_control) {
  cover_tables.attach(store);
  if (const char* problem = map_cover_planes()) {
    say(store, problem);
    return false;
  }
  if (!cover_states.init(&cover_tables, under_control)) {
    say(store, "there is no memory for the tables of the coverage");
    return false;
  }
  init_cover_methods();
  cover_locks_on = cover_tables.measures(Metric::kSync);
  return true;
}

}  // namespace

void begin_covering_freely() {
  const char* text = getenv(kCoverVariable);
  if (!text) return;
  char* end = nullptr;
  const long descriptor = strtol(text, &end, 10);
  if (*text == 0 || *end != 0) return;
  // The variable and the descriptor stay as they are: programs that this one starts are measured,
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
  memory_events = true;
  cover_on = true;
  set_hook_mode(HookMode::kCovering);
}

void cover_new_modules() {
  if (controlled) {
    extend_cover_places(g.shared->modules, g.shared->module_count);
  } else {
    // Two threads may load libraries at the same time.
    static constinit std::atomic_flag lock = ATOMIC_FLAG_INIT;
    while (lock.test_and_set(std::memory_order_acquire)) sched_yield();
    find_modules(modules, &module_count);
    extend_cover_places(modules, module_count);
    lock.clear(std::memory_order_release);
  }
}

void init_cover(Shared* shared) {
  cover_on = false;  // a process that was measured while it ran freely begins to explore
  if (shared->config.cover_fd == 0) return;
  const int descriptor = shared->config.cover_fd;
  CoverStore* store = map_store(descriptor);
  close(descriptor);
  if (!store) return;
  if (!prepare(store, true)) return;
  init_cover_places(shared->modules, shared->module_count, true);
  transitions = map_shared<CoverTransition>(kCoverTransitions);
  if (!transitions) out_of_memory();
  memory_events = true;
  cover_on = true;
}

void begin_covered_run(const Shared* shared) {
  if (!cover_on) return;
  cover_tables.set_run(shared->run.number);
  cover_tables.store()->run.store(static_cast<std::uint32_t>(shared->run.number),
                                  std::memory_order_relaxed);
  cover_tables.store()->thread_count.store(1, std::memory_order_relaxed);
}

void end_covered_run(const Shared* shared) {
  if (!cover_on) return;
  CoverStore* store = cover_tables.store();
  if (shared->run.number >= kMaxCoverRuns) return;
  store->runs[shared->run.number].end.store(
      static_cast<std::uint32_t>(shared->run.failure.kind) + 1, std::memory_order_release);
}

namespace {

// Null: one thread too many.
CoverStack* stack_of(const Thread* t) {
  return t->tid < kMaxCoverThreads ? cover_stack(t->tid) : nullptr;
}

}  // namespace

void cover_controlled(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                      std::uint64_t pc, std::uint32_t seen) {
  const Thread* t = g.current;
  // What somebody else does next is not next to what was before.
  if (t->tid >= kMaxCoverThreads) return cover_forget(const_cast<const void*>(address), size);
  CoverCallers callers;
  if (cover_stacks_on) {
    CoverStack* stack = cover_stack(t->tid);
    callers = stack->callers();
    cover_act(stack);
  }
  const std::uint32_t location = cover_location(pc, callers, seen | seen_of(kind));
  if (location == 0) return;
  CoverRecorder recorder(transitions, make_access(t->tid, kind, location));
  recorder.record(reinterpret_cast<std::uint64_t>(address), size);
}

void cover_controlled_begin(std::uint64_t pc, std::uint64_t caller) {
  cover_tables.store()->calls.fetch_add(1, std::memory_order_relaxed);
  if (!cover_stacks_on) {
    cover_method(pc, {});
  } else if (CoverStack* stack = stack_of(g.current)) {
    cover_begin_method(stack, pc, caller);
  }
}

void cover_controlled_end() {
  if (!cover_stacks_on) return;
  if (CoverStack* stack = stack_of(g.current)) cover_end_method(stack);
}

void cover_controlled_jump() {
  if (!cover_stacks_on) return;
  if (CoverStack* stack = stack_of(g.current)) stack->depth = g.current->depth;
}

void cover_controlled_step(const Thread* t) {
  switch (g.pending[t->tid].kind) {
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
    case OpKind::kFree:
      return;  // accesses are told by themselves
    default:
      break;
  }
  if (!cover_stacks_on) return;
  if (CoverStack* stack = stack_of(t)) cover_act(stack);
}

void cover_controlled_stack(const Thread* t) {
  const Context* context = t->context;
  cover_forget(reinterpret_cast<void*>(context->stack_begin), context->stack_size);
  auto& count = cover_tables.store()->thread_count;
  count.store(t->tid + 1, std::memory_order_relaxed);
  if (t->tid == kMaxCoverThreads)
    cover_tables.store()->lost_threads.fetch_add(1, std::memory_order_relaxed);
}

void cover_controlled_thread_end() {
  if (!cover_stacks_on) return;
  if (CoverStack* stack = stack_of(g.current)) stack->is_live = 0;
}

}  // namespace snag::rt
