// Implements openmp.h: loops with ordered(n), whose iterations wait for others by depend(sink).
//
// libgomp waits for an iteration by spinning, without a call that could be seen. So these functions
// wait in the scheduler, and libgomp's only post.
#include <stdarg.h>

#include "runtime/base/arena.h"
#include "runtime/interpose/openmp.h"
#include "runtime/sched/scheduler.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

constexpr unsigned kMostDepth = 16;
constexpr std::uint64_t kMostIterations = 1 << 24;  // of the outermost loop; else libgomp waits

// Of the iterations with the same number in the outermost loop, which one thread executes in order.
struct Posted {
  std::uint64_t next;  // the number of the first one that has not posted
  ClockKey clock;
};

}  // namespace

// Each thread of a team meets the same loops in the same order.
struct OrderedLoop {
  OrderedLoop* next;  // the one that was begun after it
  unsigned depth;
  std::uint64_t counts[kMostDepth];  // of iterations
  Posted* posted;                    // by iteration of the outermost loop
  ClockKey changes;
};

void end_ordered_loops(OrderedLoop* loop) {
  while (loop) {
    OrderedLoop* next = loop->next;
    raw_syscall(SYS_munmap, as_arg(loop->posted),
                static_cast<long>(loop->counts[0] * sizeof(Posted)), 0, 0, 0, 0);
    raw_syscall(SYS_munmap, as_arg(loop), static_cast<long>(sizeof *loop), 0, 0, 0, 0);
    loop = next;
  }
}

namespace {

template <class Number>
void begin_loop(unsigned depth, const Number* counts) {
  Worker& w = worker();
  if (!w.team) return;
  OrderedLoop** place = w.loop ? &w.loop->next : &w.team->ordered_loops;
  if (!*place) {
    auto* loop = map_private<OrderedLoop>(1);
    const bool fits =
        depth <= kMostDepth && static_cast<std::uint64_t>(counts[0]) <= kMostIterations;
    loop->depth = fits ? depth : 0;
    for (unsigned i = 0; i < loop->depth; ++i)
      loop->counts[i] = static_cast<std::uint64_t>(counts[i]);
    if (fits && loop->counts[0] != 0) loop->posted = map_private<Posted>(loop->counts[0]);
    *place = loop;
  }
  w.loop = *place;
}

struct Iteration {
  Posted* posted;
  std::uint64_t inner;  // its number among those with the same outermost one
};
constinit Iteration waits_for[kMaxThreads]{};

bool has_posted(const SyncObject*, const Thread* thread) {
  const Iteration& wanted = waits_for[thread->tid];
  return wanted.posted->next > wanted.inner;
}

template <class Next>
Iteration iteration_of(const OrderedLoop* loop, Next next) {
  const std::uint64_t outer = next();
  std::uint64_t inner = 0;
  for (unsigned i = 1; i < loop->depth; ++i) inner = inner * loop->counts[i] + next();
  return {outer < loop->counts[0] ? &loop->posted[outer] : nullptr, inner};
}

OrderedLoop* current_loop() {
  const Worker& w = worker();
  return w.team && w.loop && w.loop->depth != 0 ? w.loop : nullptr;
}

template <class Number>
void post(const Number* numbers, std::uint64_t pc) {
  OrderedLoop* loop = current_loop();
  if (!loop) return;
  const Iteration done = iteration_of(loop, [&] { return static_cast<std::uint64_t>(*numbers++); });
  if (!done.posted) return;
  silent_step(OpKind::kOpenMp, loop, pc);
  race_release_more(&done.posted->clock);
  if (done.inner >= done.posted->next) done.posted->next = done.inner + 1;
  note_write();
  object_changed(sync_object(&loop->changes));
}

void wait_for_iteration(OrderedLoop* loop, const Iteration& wanted, std::uint64_t pc) {
  waits_for[sched.current->tid] = wanted;
  step_when(OpKind::kOpenMp, sync_object(&loop->changes), has_posted, pc);
  race_acquire(&wanted.posted->clock);
}

}  // namespace
}  // namespace snag::rt

using Ull = unsigned long long;

#define SNAG_DOACROSS(name, Number, parameters, ...) \
  SNAG_INTERPOSE_OPENMP bool name parameters {       \
    SNAG_OPENMP_REAL(name);                          \
    if (runs_freely()) return native(__VA_ARGS__);   \
    const std::uint64_t pc = SNAG_CALLER;            \
    const InOpenMp in(pc);                           \
    openmp_step(pc);                                 \
    begin_loop<Number>(depth, counts);               \
    return native(__VA_ARGS__);                      \
  }
#define SNAG_DOACROSS_KIND(prefix, Number, kind)                                                   \
  SNAG_DOACROSS(GOMP_loop_##prefix##doacross_##kind##_start, Number,                               \
                (unsigned depth, Number* counts, Number chunk, Number* begin, Number* end), depth, \
                counts, chunk, begin, end)
#define SNAG_DOACROSS_LOOPS(prefix, Number)                                                  \
  SNAG_DOACROSS_KIND(prefix, Number, static)                                                 \
  SNAG_DOACROSS_KIND(prefix, Number, dynamic)                                                \
  SNAG_DOACROSS_KIND(prefix, Number, guided)                                                 \
  SNAG_DOACROSS(GOMP_loop_##prefix##doacross_runtime_start, Number,                          \
                (unsigned depth, Number* counts, Number* begin, Number* end), depth, counts, \
                begin, end)                                                                  \
  SNAG_DOACROSS(GOMP_loop_##prefix##doacross_start, Number,                                  \
                (unsigned depth, Number* counts, long schedule, Number chunk, Number* begin, \
                 Number* end, std::uintptr_t* reductions, void** memory),                    \
                depth, counts, schedule, chunk, begin, end, reductions, memory)
SNAG_DOACROSS_LOOPS(, long)
SNAG_DOACROSS_LOOPS(ull_, Ull)

#define SNAG_DOACROSS_POST(name, Number)             \
  SNAG_INTERPOSE_OPENMP void name(Number* numbers) { \
    SNAG_OPENMP_REAL(name);                          \
    if (!runs_freely()) post(numbers, SNAG_CALLER);  \
    native(numbers);                                 \
  }
SNAG_DOACROSS_POST(GOMP_doacross_post, long)
SNAG_DOACROSS_POST(GOMP_doacross_ull_post, Ull)

// (A call with more arguments than the function has is harmless: the caller removes them.)
#define SNAG_DOACROSS_WAIT(name, Number)                                                      \
  SNAG_INTERPOSE_OPENMP void name(Number first, ...) {                                        \
    SNAG_OPENMP_REAL(name);                                                                   \
    va_list more;                                                                             \
    va_start(more, first);                                                                    \
    OrderedLoop* loop = runs_freely() ? nullptr : current_loop();                             \
    if (!loop) {                                                                              \
      Number n[kMostDepth - 1];                                                               \
      for (Number & each : n) each = va_arg(more, Number);                                    \
      va_end(more);                                                                           \
      return native(first, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], \
                    n[11], n[12], n[13], n[14]);                                              \
    }                                                                                         \
    bool is_first = true;                                                                     \
    const Iteration wanted = iteration_of(loop, [&] {                                         \
      const Number number = is_first ? first : va_arg(more, Number);                          \
      is_first = false;                                                                       \
      return static_cast<std::uint64_t>(number);                                              \
    });                                                                                       \
    va_end(more);                                                                             \
    if (wanted.posted) wait_for_iteration(loop, wanted, SNAG_CALLER);                         \
  }

SNAG_DOACROSS_WAIT(GOMP_doacross_wait, long)
SNAG_DOACROSS_WAIT(GOMP_doacross_ull_wait, Ull)
