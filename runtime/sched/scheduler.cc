#include "runtime/sched/scheduler.h"

#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler_core.h"

namespace snag::rt {
namespace {

// Equal looks at the same thing, with nothing written by anybody in between, that make a thread
// count as spinning. Three: a loop has been round twice and learned nothing.
constexpr std::uint32_t kSpinRepeats = 3;
// A loop that tries some times before it goes to sleep (std::atomic::wait does) would never get to
// its sleep, if others always came first: one in so many spinning threads first goes on alone for a
// while.
constexpr std::uint32_t kBurstOdds = 4;
constexpr std::uint32_t kBurstSteps = 64;

// Wide stores one by one: for so few bytes the compiler's choice (rep stos) costs more to start
// than to run.
void clear_record(Thread* t) {
  using Block [[gnu::vector_size(16), gnu::may_alias]] = long long;
  static_assert(offsetof(Thread, name) % sizeof(Block) == 0 &&
                alignof(Thread) % sizeof(Block) == 0);
  auto* block = reinterpret_cast<Block*>(t);
  for (std::size_t i = 0; i < offsetof(Thread, name) / sizeof(Block); ++i) {
    block[i] = Block{};
    asm volatile("" ::: "memory");  // or it becomes rep stos again
  }
}

}  // namespace

void begin_world(Context* main_context, Strategy* strategy, const RunPlan& plan, Shared* shared) {
  ++g.run;
  g.step = 0;
  g.step_limit = shared->step_capacity;
  if (shared->config.settings.max_steps != 0 && shared->config.settings.max_steps < g.step_limit)
    g.step_limit = shared->config.settings.max_steps;
  g.log = shared->steps();
  g.published_steps = &shared->run.steps;
  g.published_steps->store(0, std::memory_order_relaxed);
  g.frames = shared->config.record_frames ? shared->frames() : nullptr;
  g.observed = observes(kObservesSteps);
  g.shared = shared;
  g.enabled_count = g.thread_count = g.live_count = g.spinner_count = g.idle_rounds =
      g.tired_count = 0;
  g.streak_start = 0;
  end_quick_steps();
  ++g.write_epoch;  // never the same again, also in the next run
  g.now = 0;
  g.timed = g.externals = nullptr;
  g.has_children = g.process_ends = g.ended_with_locks = false;
  g.lock_misuse = shared->config.settings.lock_misuse;
  g.lock_order = shared->config.settings.lock_order;
  g.random = Random(plan.seed ^ 0x5bd1e995);
  g.program_random = Random(plan.seed ^ 0x27d4eb2f);
  g.world.pending = g.pending;
  g.world.timeout = g.timeout;
  g.world.thread_count = 0;
  g.world.callers = callers_of;
  strategy->begin(plan);
  g.strategy = strategy->decider;
  g.ask_rarely = has_trait(g.strategy->kind, kSkipsForcedSteps);
  shared->run.strategy = g.strategy->kind;
  Thread* main = add_thread(main_context, nullptr);
  g.pending[0] = {};
  g.current = main;
}

Thread* add_thread(Context* context, Thread* creator) {
  if (g.thread_count == kMaxThreads) return nullptr;
  const Tid tid = static_cast<Tid>(g.thread_count++);
  Thread* t = &g.threads[tid];
  clear_record(t);
  t->name[0] = g.shared->threads[tid].name[0] = 0;
  t->tid = tid;
  t->creator = creator ? creator->tid : kNoTid;
  t->slot = -1;
  t->deadline = kNever;
  t->bitset = ~0u;
  t->context = context;
  t->thread_pointer = context->thread_pointer;
  t->tables = &g.tables[tid];
  t->signal_mask = creator ? creator->signal_mask : g.initial_signal_mask;
  context->occupant = t;
  g.timeout[tid] = 0;
  g.pending[tid] = {OpKind::kThreadStart, 0, 0};
  ++g.live_count;
  g.shared->run.threads = g.thread_count;
  g.world.thread_count = g.thread_count;
  enable(t);
  g.strategy->thread_started(tid, creator ? creator->tid : kNoTid);
  return t;
}

void step(OpKind kind, const void* object, std::uint64_t pc) {
  Thread* t = g.current;
  g.pending[t->tid] = {kind, reinterpret_cast<std::uint64_t>(object), pc};
  const std::uint8_t flags = reschedule(t);
  log_step(t, flags);
  after_step(t);
}

void access_step(OpKind kind, std::uint64_t object, std::uint64_t pc, const volatile void* address,
                 std::uint64_t size) {
  Thread* t = g.current;
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  g.pending[t->tid] = {kind, object, pc, static_cast<std::uint8_t>(begin & 7)};
  const std::uint8_t flags = reschedule(t) | step_offset_flags(begin);
  log_step(t, flags, const_cast<const void*>(address), size);
  after_step(t);
}

void silent_step(OpKind kind, const void* object, std::uint64_t pc) {
  Thread* t = g.current;
  g.pending[t->tid] = {kind, reinterpret_cast<std::uint64_t>(object), pc};
  ++g.streak_start;  // does not count
  log_step(t, kSilentStep);
}

void yield_step(std::uint64_t pc) {
  Thread* t = g.current;
  g.pending[t->tid] = {OpKind::kYield, 0, pc};
  // Whoever yields wants somebody else to run: it does not compete for this step.
  std::uint8_t flags = 0;
  if (g.enabled_count > 1 && !t->spinning && t->burst == 0 && t->pinned == 0) {
    disable(t);
    Thread* next = pick_next();
    enable(t);
    begin_streak();
    resume(t, next);
  } else {
    flags = reschedule(t);
  }
  log_step(t, flags);
  after_step(t);
}

std::uint32_t choose(std::uint32_t n) {
  g.world.enabled = {g.enabled, g.enabled_count};
  g.world.current = g.current->tid;
  g.world.current_enabled = g.current->slot >= 0;
  g.world.step = g.step;
  const std::uint32_t value = g.strategy->choose(g.world, n);
  SNAG_CHECK(value < n, "the strategy chose something that is not there");
  const std::uint32_t index = g.shared->run.choices.load(std::memory_order_relaxed);
  if (index < kMaxChoices) {
    g.shared->choices[index] = {g.step, n, value};
    g.shared->run.choices.store(index + 1, std::memory_order_relaxed);
  }
  return value;
}

void release_spinners() {
  for (std::uint32_t i = 0; i < g.thread_count; ++i) {
    Thread* t = &g.threads[i];
    if (!t->spinning) continue;
    t->spinning = false;
    if (t->state == Thread::kRunnable) enable(t);
  }
  g.spinner_count = 0;
}

void release_tired() {
  g.tired_count = 0;
  for (std::uint32_t i = 0; i < g.thread_count; ++i) {
    Thread* t = &g.threads[i];
    if (!t->tired) continue;
    t->tired = false;
    t->spinning = false;
    if (t->state == Thread::kRunnable || g.timeout[t->tid] != 0) enable(t);
  }
}

void note_read(std::uint64_t pc, std::uint64_t object) {
  Thread* t = g.current;
  const std::uint64_t key = pc * 31 + object;
  auto& slot = t->tables->spin[(pc ^ (pc >> 5) ^ (object >> 3)) % kSpinSlots];
  if (slot.key == key && slot.epoch == g.write_epoch) {
    if (++slot.count < kSpinRepeats || t->burst != 0) return;
    end_quick_steps();
    if (slot.count == kSpinRepeats && !g.systematic && g.random.below(kBurstOdds) == 0) {
      t->burst = kBurstSteps;
    } else {
      t->spinning = true;
    }
  } else {
    slot = {key, g.write_epoch, 1};
  }
}

void begin_thread() {
  Thread* t = g.current;
  log_step(t, 0);
  after_step(t);
}

void finish_thread() {
  Thread* t = g.current;
  t->state = Thread::kFinished;
  t->can_proceed = nullptr;
  disable(t);
  --g.live_count;
  note_write();
}

void leave_finished_thread() {
  Thread* t = g.current;
  Context* context = t->context;
  Thread* next = pick_next();
  g.current = next;
  end_quick_steps();
  if (t->signal_mask != next->signal_mask) apply_signal_mask(next);
  switch_context(context, next->context, next->thread_pointer);
}

std::int64_t virtual_now() {
  Thread* t = g.current;
  // Reading the clock takes a microsecond. A thread that does nothing but read it waits for a time
  // to come: let it come in bigger and bigger leaps.
  end_quick_steps();
  const std::uint32_t leap = t->clock_reads++ / 16;
  g.now += 1000ll << (leap < 20 ? leap : 20);
  g.idle_rounds = 0;
  return g.now;
}

void advance_clock(std::int64_t to) {
  if (to != kNever && to > g.now) g.now = to;
}

}  // namespace snag::rt
