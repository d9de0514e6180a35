// Implements openmp.h: parallel regions, barriers, loops, sections, single, ordered.
#include "runtime/interpose/openmp.h"

#include <dlfcn.h>
#include <stdio.h>

#include "arch/arch.h"
#include "runtime/sched/scheduler.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

constinit Worker workers[kMaxThreads]{};

ClockKey* barrier_of(const Worker& w) { return &w.team->barrier[w.barriers % 2]; }

// What each thread of a team calls. (Reports leave out frames with such names.)
void __snag_openmp_region(void* opaque) {
  auto* team = static_cast<Team*>(opaque);
  const Worker outer = worker();
  Task task{};
  clear(&task.children);
  worker() = {team, &task, nullptr, 0, 0, nullptr};
  race_acquire(&team->fork);
  team->function(team->data);
  race_release_more(&team->join);
  worker() = outer;
}

}  // namespace

Worker& worker() { return workers[sched.current->tid]; }
std::uint64_t openmp_place() { return controlled ? worker().place : 0; }

void openmp_step(std::uint64_t pc) {
  step(OpKind::kOpenMp, worker().team, pc);
  note_write();
}

void arrive_at_barrier(std::uint64_t pc) {
  const Worker& w = worker();
  step(OpKind::kBarrierWait, w.team, pc);
  if (w.team) race_release_more(barrier_of(w));
}
void passed_barrier() {
  Worker& w = worker();
  if (!w.team) return;
  race_acquire(barrier_of(w));
  race_acquire(&ended_by_event);
  ++w.barriers;
  note_write();
}

void* find_openmp_function(const char* name) {
  if (void* function = dlsym(RTLD_NEXT, name)) return function;
  // A library that was loaded for itself alone brought libgomp along; or the linker left libgomp
  // out, since it had found the functions here.
  constexpr const char* kLibrary = "libgomp.so.1";
  void* library = dlopen(kLibrary, RTLD_LAZY | RTLD_NOLOAD);
  if (!library) library = dlopen(kLibrary, RTLD_LAZY);
  void* function = library ? dlsym(library, name) : nullptr;
  if (!function) {
    fprintf(stderr, "snag: the program needs %s, but libgomp.so.1 does not have it\n", name);
    raw_exit_process(127);
  }
  return function;
}

namespace {

struct Region : Team {
  Region(void (*region)(void*), void* region_data) {
    first_word = region_data ? *static_cast<void**>(region_data) : nullptr;
    function = region;
    data = region_data;
    ordered_loops = nullptr;
    for (const ClockKey* key : {&fork, &join, &ordered, &barrier[0], &barrier[1]}) clear(key);
    race_release(&fork);
  }
  ~Region() {
    race_acquire(&join);
    end_ordered_loops(ordered_loops);
  }
};

}  // namespace
}  // namespace snag::rt

// ---- Parallel regions. ----

using RegionFunction = void (*)(void*);

SNAG_INTERPOSE_OPENMP void GOMP_parallel(RegionFunction function, void* data, unsigned threads,
                                         unsigned flags) {
  SNAG_OPENMP_REAL(GOMP_parallel);
  if (runs_freely()) return native(function, data, threads, flags);
  const InOpenMp in(SNAG_CALLER);
  Region region(function, data);
  native(__snag_openmp_region, static_cast<Team*>(&region), threads, flags);
}
SNAG_INTERPOSE_OPENMP unsigned GOMP_parallel_reductions(RegionFunction function, void* data,
                                                        unsigned threads, unsigned flags) {
  SNAG_OPENMP_REAL(GOMP_parallel_reductions);
  if (runs_freely()) return native(function, data, threads, flags);
  const InOpenMp in(SNAG_CALLER);
  Region region(function, data);
  return native(__snag_openmp_region, static_cast<Team*>(&region), threads, flags);
}
SNAG_INTERPOSE_OPENMP void GOMP_parallel_sections(RegionFunction function, void* data,
                                                  unsigned threads, unsigned count,
                                                  unsigned flags) {
  SNAG_OPENMP_REAL(GOMP_parallel_sections);
  if (runs_freely()) return native(function, data, threads, count, flags);
  const InOpenMp in(SNAG_CALLER);
  Region region(function, data);
  native(__snag_openmp_region, static_cast<Team*>(&region), threads, count, flags);
}

#define SNAG_PARALLEL_LOOP(name)                                                                 \
  SNAG_INTERPOSE_OPENMP void name(RegionFunction function, void* data, unsigned threads,         \
                                  long begin, long end, long step, long chunk, unsigned flags) { \
    SNAG_OPENMP_REAL(name);                                                                      \
    if (runs_freely()) return native(function, data, threads, begin, end, step, chunk, flags);   \
    const InOpenMp in(SNAG_CALLER);                                                              \
    Region region(function, data);                                                               \
    native(__snag_openmp_region, static_cast<Team*>(&region), threads, begin, end, step, chunk,  \
           flags);                                                                               \
  }
SNAG_PARALLEL_LOOP(GOMP_parallel_loop_static)
SNAG_PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
SNAG_PARALLEL_LOOP(GOMP_parallel_loop_guided)
SNAG_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
SNAG_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

#define SNAG_PARALLEL_RUNTIME_LOOP(name)                                                         \
  SNAG_INTERPOSE_OPENMP void name(RegionFunction function, void* data, unsigned threads,         \
                                  long begin, long end, long step, unsigned flags) {             \
    SNAG_OPENMP_REAL(name);                                                                      \
    if (runs_freely()) return native(function, data, threads, begin, end, step, flags);          \
    const InOpenMp in(SNAG_CALLER);                                                              \
    Region region(function, data);                                                               \
    native(__snag_openmp_region, static_cast<Team*>(&region), threads, begin, end, step, flags); \
  }
SNAG_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
SNAG_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
SNAG_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

// A target region runs on the host, as a world of its own with one thread.
#define SNAG_TARGET_WORLD()      \
  const Worker outer = worker(); \
  worker() = {}

SNAG_INTERPOSE_OPENMP void GOMP_target(int device, RegionFunction function, const void* unused,
                                       std::size_t count, void** addresses, std::size_t* sizes,
                                       unsigned char* kinds) {
  SNAG_OPENMP_REAL(GOMP_target);
  if (runs_freely()) return native(device, function, unused, count, addresses, sizes, kinds);
  SNAG_TARGET_WORLD();
  native(device, function, unused, count, addresses, sizes, kinds);
  worker() = outer;
}
SNAG_INTERPOSE_OPENMP void GOMP_target_ext(int device, RegionFunction function, std::size_t count,
                                           void** addresses, std::size_t* sizes,
                                           unsigned short* kinds, unsigned flags, void** depend,
                                           void** arguments) {
  SNAG_OPENMP_REAL(GOMP_target_ext);
  if (runs_freely())
    return native(device, function, count, addresses, sizes, kinds, flags, depend, arguments);
  constexpr unsigned kNoWait = 1;  // leave it out: it only allows to do it later
  acquire_dependences(depend);
  SNAG_TARGET_WORLD();
  native(device, function, count, addresses, sizes, kinds, flags & ~kNoWait, depend, arguments);
  worker() = outer;
}

// ---- Barriers, and what ends with one. ----

#define SNAG_BARRIER(name)                \
  SNAG_INTERPOSE_OPENMP void name() {     \
    SNAG_OPENMP_REAL(name);               \
    if (runs_freely()) return native();   \
    const std::uint64_t pc = SNAG_CALLER; \
    const InOpenMp in(pc);                \
    arrive_at_barrier(pc);                \
    native();                             \
    passed_barrier();                     \
  }
SNAG_BARRIER(GOMP_barrier)
SNAG_BARRIER(GOMP_loop_end)
SNAG_BARRIER(GOMP_sections_end)

#define SNAG_BARRIER_CANCEL(name)         \
  SNAG_INTERPOSE_OPENMP bool name() {     \
    SNAG_OPENMP_REAL(name);               \
    if (runs_freely()) return native();   \
    const std::uint64_t pc = SNAG_CALLER; \
    const InOpenMp in(pc);                \
    arrive_at_barrier(pc);                \
    const bool cancelled = native();      \
    passed_barrier();                     \
    return cancelled;                     \
  }
SNAG_BARRIER_CANCEL(GOMP_barrier_cancel)
SNAG_BARRIER_CANCEL(GOMP_loop_end_cancel)
SNAG_BARRIER_CANCEL(GOMP_sections_end_cancel)

SNAG_INTERPOSE_OPENMP void GOMP_workshare_task_reduction_unregister(bool cancelled) {
  SNAG_OPENMP_REAL(GOMP_workshare_task_reduction_unregister);
  if (runs_freely()) return native(cancelled);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  arrive_at_barrier(pc);
  native(cancelled);
  passed_barrier();
}

SNAG_INTERPOSE_OPENMP bool GOMP_single_start() {
  SNAG_OPENMP_REAL(GOMP_single_start);
  if (runs_freely()) return native();
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  openmp_step(pc);
  return native();
}
// The one that is chosen gets null, and the others what it leaves in GOMP_single_copy_end: one
// barrier for each.
SNAG_INTERPOSE_OPENMP void* GOMP_single_copy_start() {
  SNAG_OPENMP_REAL(GOMP_single_copy_start);
  if (runs_freely()) return native();
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  openmp_step(pc);
  arrive_at_barrier(pc);
  void* data = native();
  if (data) passed_barrier();
  return data;
}
SNAG_INTERPOSE_OPENMP void GOMP_single_copy_end(void* data) {
  SNAG_OPENMP_REAL(GOMP_single_copy_end);
  if (runs_freely()) return native(data);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  arrive_at_barrier(pc);
  native(data);
  passed_barrier();
}

SNAG_INTERPOSE_OPENMP void GOMP_ordered_start() {
  SNAG_OPENMP_REAL(GOMP_ordered_start);
  if (runs_freely()) return native();
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  openmp_step(pc);
  native();
  if (worker().team) race_acquire(&worker().team->ordered);
}
// (libgomp lets the next one in at the end of the thread's chunk.)
SNAG_INTERPOSE_OPENMP void GOMP_ordered_end() {
  SNAG_OPENMP_REAL(GOMP_ordered_end);
  if (runs_freely()) return native();
  if (worker().team) race_release_more(&worker().team->ordered);
  native();
}

// ---- Loops and sections: who comes first gets the next part. ----

namespace {

template <class Function, class... Arguments>
auto distribute(Function* native, std::uint64_t pc, Arguments... arguments) {
  const InOpenMp in(pc);
  openmp_step(pc);
  return native(arguments...);
}

}  // namespace

using Ull = unsigned long long;

#define SNAG_DISTRIBUTE(result, name, parameters, ...)   \
  SNAG_INTERPOSE_OPENMP result name parameters {         \
    SNAG_OPENMP_REAL(name);                              \
    if (runs_freely()) return native(__VA_ARGS__);       \
    return distribute(native, SNAG_CALLER, __VA_ARGS__); \
  }

#define SNAG_LOOP_NEXT(kind)                                                           \
  SNAG_DISTRIBUTE(bool, GOMP_loop_##kind##_next, (long* begin, long* end), begin, end) \
  SNAG_DISTRIBUTE(bool, GOMP_loop_ull_##kind##_next, (Ull * begin, Ull * end), begin, end)

#define SNAG_LOOP(kind)                                                                        \
  SNAG_DISTRIBUTE(bool, GOMP_loop_##kind##_start,                                              \
                  (long first, long last, long by, long chunk, long* begin, long* end), first, \
                  last, by, chunk, begin, end)                                                 \
  SNAG_DISTRIBUTE(bool, GOMP_loop_ull_##kind##_start,                                          \
                  (bool up, Ull first, Ull last, Ull by, Ull chunk, Ull* begin, Ull* end), up, \
                  first, last, by, chunk, begin, end)                                          \
  SNAG_LOOP_NEXT(kind)
SNAG_LOOP(static)
SNAG_LOOP(dynamic)
SNAG_LOOP(guided)
SNAG_LOOP(ordered_static)
SNAG_LOOP(ordered_dynamic)
SNAG_LOOP(ordered_guided)
SNAG_LOOP(nonmonotonic_dynamic)
SNAG_LOOP(nonmonotonic_guided)

#define SNAG_RUNTIME_LOOP(kind)                                                                  \
  SNAG_DISTRIBUTE(bool, GOMP_loop_##kind##_start,                                                \
                  (long first, long last, long by, long* begin, long* end), first, last, by,     \
                  begin, end)                                                                    \
  SNAG_DISTRIBUTE(bool, GOMP_loop_ull_##kind##_start,                                            \
                  (bool up, Ull first, Ull last, Ull by, Ull* begin, Ull* end), up, first, last, \
                  by, begin, end)                                                                \
  SNAG_LOOP_NEXT(kind)
SNAG_RUNTIME_LOOP(runtime)
SNAG_RUNTIME_LOOP(ordered_runtime)
SNAG_RUNTIME_LOOP(nonmonotonic_runtime)
SNAG_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

SNAG_DISTRIBUTE(bool, GOMP_loop_start,
                (long first, long last, long by, long schedule, long chunk, long* begin, long* end,
                 std::uintptr_t* reductions, void** memory),
                first, last, by, schedule, chunk, begin, end, reductions, memory)
SNAG_DISTRIBUTE(bool, GOMP_loop_ordered_start,
                (long first, long last, long by, long schedule, long chunk, long* begin, long* end,
                 std::uintptr_t* reductions, void** memory),
                first, last, by, schedule, chunk, begin, end, reductions, memory)
SNAG_DISTRIBUTE(bool, GOMP_loop_ull_start,
                (bool up, Ull first, Ull last, Ull by, long schedule, Ull chunk, Ull* begin,
                 Ull* end, std::uintptr_t* reductions, void** memory),
                up, first, last, by, schedule, chunk, begin, end, reductions, memory)
SNAG_DISTRIBUTE(bool, GOMP_loop_ull_ordered_start,
                (bool up, Ull first, Ull last, Ull by, long schedule, Ull chunk, Ull* begin,
                 Ull* end, std::uintptr_t* reductions, void** memory),
                up, first, last, by, schedule, chunk, begin, end, reductions, memory)
SNAG_DISTRIBUTE(unsigned, GOMP_sections_start, (unsigned count), count)
SNAG_DISTRIBUTE(unsigned, GOMP_sections2_start,
                (unsigned count, std::uintptr_t* reductions, void** memory), count, reductions,
                memory)

SNAG_INTERPOSE_OPENMP unsigned GOMP_sections_next() {
  SNAG_OPENMP_REAL(GOMP_sections_next);
  if (runs_freely()) return native();
  return distribute(native, SNAG_CALLER);
}
