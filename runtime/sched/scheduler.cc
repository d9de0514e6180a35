#include "runtime/sched/scheduler.h"

#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler_core.h"

namespace snag::rt {
namespace {

// This many reads of the same object, with no write by any thread in between, make a thread count
// as spinning. Three: a loop has been round twice and seen nothing new.
constexpr std::uint32_t kSpinRepeats = 3;
// A loop that retries a few times before it sleeps (as std::atomic::wait does) would never get to
// its sleep if other threads always came first: one in this many spinning threads first runs alone
// for kBurstSteps.
constexpr std::uint32_t kBurstOdds = 4;
constexpr std::uint32_t kBurstSteps = 64;
// Separate streams of random numbers from the seed of one run. Any different values would do; but
// with others, replays of existing traces would diverge.
constexpr std::uint64_t kOwnDraws = 0x5bd1e995, kSpuriousDraws = 0x9e3779b9,
                        kProgramDraws = 0x27d4eb2f;

// With exact timeouts, a thread that has read the clock more often than this, and done nothing else
// that others could notice, only waits for a certain time.
constexpr std::uint32_t kPatientReads = 4;
// While others can go on, the clock goes on by a microsecond with each of so many reads, then by
// two, and so on: a tenth of a second takes some 19,000 reads, a minute some 57,000.
constexpr std::uint32_t kReadsPerDoubling = 4096;

// Whether a thread can go on that does not only wait for a certain time.
bool another_thread_works() {
  for (std::uint32_t i = 0; i < sched.enabled_count; ++i) {
    const Thread& t = sched.threads[sched.enabled[i]];
    if (&t != sched.current && t.clock_reads <= kPatientReads) return true;
  }
  return false;
}

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
  ++sched.run;
  sched.step = 0;
  sched.step_limit = shared->step_capacity;
  if (shared->config.settings.max_steps != 0 &&
      shared->config.settings.max_steps < sched.step_limit)
    sched.step_limit = shared->config.settings.max_steps;
  sched.log = shared->steps();
  sched.published_steps = &shared->run.steps;
  sched.published_steps->store(0, std::memory_order_relaxed);
  sched.frames = shared->config.record_frames ? shared->frames() : nullptr;
  sched.observed = observes(kObservesSteps);
  sched.shared = shared;
  sched.enabled_count = sched.thread_count = sched.live_count = sched.spinner_count =
      sched.idle_rounds = sched.fruitless_spins = sched.tired_count = 0;
  sched.streak_start = 0;
  end_quick_steps();
  ++sched.write_epoch;  // never the same again, also in the next run
  sched.now = 0;
  sched.timed = sched.externals = sched.cycle = nullptr;
  sched.attention_step = sched.cycle_step = kNoStep;
  sched.checks_loop = sched.has_children = sched.process_ends = sched.ended_with_locks = false;
  sched.lock_misuse = shared->config.settings.lock_misuse;
  sched.lock_order = shared->config.settings.lock_order;
  sched.timeouts = shared->config.settings.timeouts;
  sched.random = Random(plan.seed ^ kOwnDraws);
  // Few: a loop around a wait would hide a wakeup that was lost, and a systematic search has to try
  // all of them.
  sched.most_spurious = sched.systematic ? 1 : 2;
  sched.spurious_random = Random(plan.seed ^ kSpuriousDraws);
  sched.program_random = Random(plan.seed ^ kProgramDraws);
  sched.world.pending = sched.pending;
  sched.world.timeout = sched.timeout;
  sched.world.thread_count = 0;
  sched.world.callers = callers_of;
  strategy->begin(plan);
  sched.strategy = strategy->decider;
  sched.ask_rarely = has_trait(sched.strategy->kind, kSkipsForcedSteps);
  shared->run.strategy = sched.strategy->kind;
  Thread* main = add_thread(main_context, nullptr);
  sched.pending[0] = {};
  sched.current = main;
}

Thread* add_thread(Context* context, Thread* creator) {
  if (sched.thread_count == kMaxThreads) return nullptr;
  const Tid tid = static_cast<Tid>(sched.thread_count++);
  Thread* t = &sched.threads[tid];
  clear_record(t);
  t->name[0] = sched.shared->threads[tid].name[0] = 0;
  t->tid = tid;
  t->creator = creator ? creator->tid : kNoTid;
  t->slot = -1;
  t->deadline = kNever;
  t->bitset = ~0u;
  t->context = context;
  t->thread_pointer = context->thread_pointer;
  t->tables = &sched.tables[tid];
  t->signal_mask = creator ? creator->signal_mask : sched.initial_signal_mask;
  context->occupant = t;
  sched.timeout[tid] = 0;
  sched.pending[tid] = {OpKind::kThreadStart, 0, 0};
  ++sched.live_count;
  sched.shared->run.threads = sched.thread_count;
  sched.world.thread_count = sched.thread_count;
  enable(t);
  sched.strategy->thread_started(tid, creator ? creator->tid : kNoTid);
  return t;
}

void step(OpKind kind, const void* object, std::uint64_t pc) {
  Thread* t = sched.current;
  sched.pending[t->tid] = {kind, reinterpret_cast<std::uint64_t>(object), pc};
  const std::uint8_t flags = reschedule(t);
  log_step(t, flags);
  after_step(t);
}

void access_step(OpKind kind, std::uint64_t object, std::uint64_t pc, const volatile void* address,
                 std::uint64_t size) {
  Thread* t = sched.current;
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  sched.pending[t->tid] = {kind, object, pc, static_cast<std::uint8_t>(begin & 7)};
  const std::uint8_t flags = reschedule(t) | step_offset_flags(begin);
  log_step(t, flags, const_cast<const void*>(address), size);
  after_step(t);
}

void silent_step(OpKind kind, const void* object, std::uint64_t pc) {
  Thread* t = sched.current;
  sched.pending[t->tid] = {kind, reinterpret_cast<std::uint64_t>(object), pc};
  ++sched.streak_start;  // does not count
  log_step(t, kSilentStep);
}

void yield_step(std::uint64_t pc) {
  Thread* t = sched.current;
  sched.pending[t->tid] = {OpKind::kYield, 0, pc};
  // A thread that yields wants another one to run: it does not compete for this step.
  std::uint8_t flags = 0;
  if (sched.enabled_count > 1 && !t->spinning && t->burst == 0 && t->pinned == 0) {
    attend_if_due();
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
  sched.world.enabled = {sched.enabled, sched.enabled_count};
  sched.world.current = sched.current->tid;
  sched.world.current_enabled = sched.current->slot >= 0;
  sched.world.step = sched.step;
  const std::uint32_t value = sched.strategy->choose(sched.world, n);
  SNAG_CHECK(value < n, "the strategy chose something that is not there");
  const std::uint32_t index = sched.shared->run.choices.load(std::memory_order_relaxed);
  if (index < kMaxChoices) {
    sched.shared->choices[index] = {sched.step, n, value};
    sched.shared->run.choices.store(index + 1, std::memory_order_relaxed);
  }
  return value;
}

bool fails_spuriously(std::uint64_t pc) {
  constexpr std::uint32_t kOdds = 16;
  Thread* t = sched.current;
  if (!sched.systematic && sched.spurious_random.below(kOdds) != 0) return false;
  if (t->spurious_failures >= sched.most_spurious || choose(2) == 0) return false;
  ++t->spurious_failures;
  silent_step(OpKind::kSpuriousFailure, nullptr, pc);
  return true;
}

void release_spinners() {
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    Thread* t = &sched.threads[i];
    if (!t->spinning) continue;
    t->spinning = false;
    if (t->state == Thread::kRunnable) enable(t);
  }
  sched.spinner_count = 0;
}

void out_of_steps() {
  if (upcalls.look_for_repeated_state == nullptr || !upcalls.look_for_repeated_state())
    fail_cut_short();
}

void release_tired() {
  sched.tired_count = 0;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    Thread* t = &sched.threads[i];
    if (!t->tired) continue;
    t->tired = false;
    t->spinning = false;
    if (t->state == Thread::kRunnable || sched.timeout[t->tid] != 0) enable(t);
  }
}

void note_read(std::uint64_t pc, std::uint64_t object) {
  Thread* t = sched.current;
  const std::uint64_t key = pc * 31 + object;
  auto& slot = t->tables->spin[(pc ^ (pc >> 5) ^ (object >> 3)) % kSpinSlots];
  if (slot.key == key && slot.epoch == sched.write_epoch) {
    if (++slot.count < kSpinRepeats || t->burst != 0) return;
    end_quick_steps();
    if (slot.count == kSpinRepeats && !sched.systematic && sched.random.below(kBurstOdds) == 0) {
      t->burst = kBurstSteps;
    } else {
      t->spinning = true;
    }
  } else {
    slot = {key, sched.write_epoch, 1};
  }
}

void begin_thread() {
  Thread* t = sched.current;
  log_step(t, 0);
  after_step(t);
}

void finish_thread() {
  Thread* t = sched.current;
  t->state = Thread::kFinished;
  t->can_proceed = nullptr;
  disable(t);
  --sched.live_count;
  note_write();
}

void leave_finished_thread() {
  Thread* t = sched.current;
  Context* context = t->context;
  Thread* next = pick_next();
  sched.current = next;
  end_quick_steps();
  if (t->signal_mask != next->signal_mask) apply_signal_mask(next);
  switch_context(context, next->context, next->thread_pointer);
}

std::int64_t virtual_now(std::uint64_t pc) {
  Thread* t = sched.current;
  // Reading the clock takes a microsecond. A thread that does nothing but read it waits for a
  // certain time: advance the clock in bigger and bigger leaps. If it also works in between, like a
  // loop that counts its iterations for a second, the leaps grow slowly.
  end_quick_steps();
  constexpr std::uint32_t kMostPolling = 20, kMostWorking = 10;
  const std::uint32_t polling = t->clock_reads++ / 16, working = t->clock_polls++ / 256;
  std::uint32_t leap = working < kMostWorking ? working : kMostWorking + working / 256;
  if (leap < polling) leap = polling;
  if (sched.timeouts == Timeouts::kExact && t->clock_reads > kPatientReads &&
      another_thread_works()) {
    // Time is not to pass while others can go on, and they may need this thread's next schedule
    // point. But if it polls for very long, they may only go on because it does.
    leap = t->clock_reads / kReadsPerDoubling;
    yield_step(pc);
  }
  pass_time(1000ll << (leap < kMostPolling ? leap : kMostPolling));
  sched.idle_rounds = 0;
  return sched.now;
}

void advance_clock(std::int64_t to) {
  if (to != kNever && to > sched.now) sched.now = to;
}

}  // namespace snag::rt
