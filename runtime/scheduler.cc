#include "runtime/scheduler.h"

#include <errno.h>

#include "runtime/failure.h"
#include "runtime/interpose.h"
#include "runtime/raw_syscall.h"
#include "runtime/signals.h"

namespace snag::rt {

constinit Scheduler g{};
constinit bool controlled = false;

namespace {

// Equal looks at the same thing, with nothing written by anybody in between, that make a thread count as spinning.
// Three: a loop has been round twice and learned nothing.
constexpr std::uint32_t kSpinRepeats = 3;
// A loop that tries some times before it goes to sleep (std::atomic::wait does) would never get to its sleep, if
// others always came first: one in so many spinning threads first goes on alone for a while.
constexpr std::uint32_t kBurstOdds = 4;
constexpr std::uint32_t kBurstSteps = 64;
// Steps that a thread may take in a row while others could. No strategy wants more, but a loop that writes something
// each time round looks like progress.
constexpr std::uint32_t kMaxStreak = 10'000;
// When only spinning threads are left, they go round this often before it is called a livelock: enough for loops
// that count their attempts before they give up.
constexpr std::uint32_t kIdleRounds = 2000;
// One in so many waits may time out at any moment; the others only when nothing else can happen. Sleeps are short
// more often: that they are too short is what people get wrong.
constexpr std::uint32_t kEarlyTimeoutOdds = 8;
constexpr std::uint32_t kEarlySleepOdds = 2;

void enable(Thread* t) {
  if (t->slot >= 0) return;
  t->slot = static_cast<std::int32_t>(g.enabled_count);
  g.enabled[g.enabled_count++] = t->tid;
}

void disable(Thread* t) {
  if (t->slot < 0) return;
  const Tid last = g.enabled[--g.enabled_count];
  g.enabled[t->slot] = last;
  g.threads[last].slot = t->slot;
  t->slot = -1;
}

void link_waiter(SyncObject* object, Thread* t) {
  t->object = object;
  if (Thread* first = object->waiters) {
    t->next_waiter = first;
    t->previous_waiter = first->previous_waiter;
    first->previous_waiter->next_waiter = t;
    first->previous_waiter = t;
  } else {
    t->next_waiter = t->previous_waiter = t;
    object->waiters = t;
  }
}

void unlink_waiter(Thread* t) {
  SyncObject* object = t->object;
  if (!object) return;
  if (t->next_waiter == t) {
    object->waiters = nullptr;
  } else {
    t->next_waiter->previous_waiter = t->previous_waiter;
    t->previous_waiter->next_waiter = t->next_waiter;
    if (object->waiters == t) object->waiters = t->next_waiter;
  }
  t->object = nullptr;
}

void arm_deadline(Thread* t, std::int64_t deadline, std::uint32_t odds) {
  if (deadline == kNever) return;
  t->timed = true;
  t->deadline = deadline;
  t->next_timed = g.timed;
  g.timed = t;
  // (Drawn in any case: a replay must not get out of step with the recorded run's draws.)
  const bool drawn = g.random.below(odds) == 0;
  t->early = g.early_timeouts || deadline <= g.now || drawn;
  if (t->early) {
    g.timeout[t->tid] = 1;
    enable(t);
  }
}

void disarm_deadline(Thread* t) {
  if (!t->timed) return;
  Thread** link = &g.timed;
  while (*link != t) link = &(*link)->next_timed;
  *link = t->next_timed;
  t->timed = t->early = false;
  t->deadline = kNever;
  g.timeout[t->tid] = 0;
}

// Its wait is over before it began, or as soon as nothing else ends it.
bool is_cancelled(const Thread* t) {
  return __builtin_expect(t->cancel_pending, 0) && t->cancel_point && !t->cancel_disabled && !t->exiting;
}

void set_proceed(Thread* t, bool can) {
  if (!can && is_cancelled(t)) {
    t->wake = Wake::kCancelled;
    can = true;
  }
  if (can) {
    t->state = Thread::kRunnable;
    g.timeout[t->tid] = 0;
    enable(t);
  } else {
    t->state = Thread::kBlocked;
    g.timeout[t->tid] = t->timed && t->early;
    if (g.timeout[t->tid]) {
      enable(t);
    } else {
      disable(t);
    }
  }
}

// Follows "waits for what the next one holds" from `t`; if the way leads back, these threads wait for ever, whatever
// the others do.
void check_cycle(Thread* t) {
  Thread* u = t;
  for (std::uint32_t i = 0; i <= g.thread_count; ++i) {
    if (u->state != Thread::kBlocked || u->timed || !u->can_proceed || !u->object) return;
    const Tid owner = u->object->owner;
    if (owner == kNoTid) return;
    u = &g.threads[owner];
    if (u == t) fail_deadlock(t);
  }
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

bool check_externals() {
  bool any = false;
  for (Thread** link = &g.externals; *link;) {
    Thread* t = *link;
    if (t->ready(t)) {
      *link = t->next_external;
      t->external = false;
      disarm_deadline(t);
      t->wake = Wake::kGranted;
      t->state = Thread::kRunnable;
      g.pending[t->tid].kind = OpKind::kExternal;
      enable(t);
      any = true;
    } else {
      link = &t->next_external;
    }
  }
  return any;
}

void remove_external(Thread* t) {
  for (Thread** link = &g.externals; *link; link = &(*link)->next_external) {
    if (*link == t) {
      *link = t->next_external;
      break;
    }
  }
  t->external = false;
}

// Real time is spent here, and only here. The tool's watchdog ends it if nothing comes.
bool wait_for_outside(std::int64_t limit_ns) {
  count_uncontrolled(Uncontrolled::kExternalWait);
  std::int64_t waited = 0, pause = 20'000;
  while (waited < limit_ns) {
    const timespec request{0, static_cast<long>(pause)};
    raw_syscall(SYS_nanosleep, as_arg(&request), 0);
    waited += pause;
    if (check_externals()) return true;
    if (deliver_process_signals()) return g.enabled_count != 0;
    if (pause < 1'000'000) pause += pause / 4;
  }
  return false;
}

// Nobody can go on: lets time pass, waits for the outside world, or finds that this is the end.
void make_somebody_ready() {
  if (g.externals && check_externals()) return;
  if (g.timed) {
    // Something may come from outside before the time is up; what is meant by "in time" there is real time, and
    // a short while of it must do.
    if (g.externals && wait_for_outside(2'000'000)) return;
    Thread* first = g.timed;
    for (Thread* t = g.timed; t; t = t->next_timed) {
      if (t->deadline < first->deadline || (t->deadline == first->deadline && t->tid < first->tid)) first = t;
    }
    first->early = true;
    g.timeout[first->tid] = 1;
    enable(first);
    return;
  }
  if (g.externals) {
    while (g.enabled_count == 0) wait_for_outside(kNever);
    return;
  }
  if (g.spinner_count != 0) {
    if (++g.idle_rounds > kIdleRounds) fail_livelock("threads re-read what nobody will ever write");
    release_spinners();
    return;
  }
  fail_deadlock(nullptr);
}

Thread* pick_next() {
  while (g.enabled_count == 0) make_somebody_ready();
  g.world.enabled = {g.enabled, g.enabled_count};
  g.world.current = g.current->tid;
  g.world.current_enabled = g.current->slot >= 0;
  g.world.step = g.step;
  const Tid picked = g.strategy->pick(g.world);
  if (__builtin_expect(picked >= g.thread_count || g.threads[picked].slot < 0, 0)) fail_diverged(picked);
  return &g.threads[picked];
}

void resume(Thread* from, Thread* to) {
  g.current = to;
  if (__builtin_expect(from->signal_mask != to->signal_mask, 0)) apply_signal_mask(to);
  switch_context(from->context, to->context);
}

// Lets the strategy decide who goes next; returns when it is `t`. The result is for the log: whether anybody was
// asked at all.
inline std::uint8_t reschedule(Thread* t) {
  if (__builtin_expect((t->pinned | t->burst) != 0, 0) && t->state == Thread::kRunnable) {
    if (t->burst != 0) --t->burst;
    return kSilentStep;
  }
  if (__builtin_expect(g.streak > kMaxStreak, 0)) {
    g.streak = 0;
    t->spinning = true;
  }
  if (__builtin_expect(t->spinning, 0) && t->slot >= 0) {
    disable(t);
    ++g.spinner_count;
  }
  Thread* next = pick_next();
  if (next == t) {
    ++g.streak;
  } else {
    g.streak = 0;
    resume(t, next);
  }
  return 0;
}

inline void log_step(const Thread* t, std::uint8_t flags) {
  const Op& op = g.pending[t->tid];
  Step& entry = g.log[g.step];
  entry.pc = op.pc;
  entry.object = op.object;
  entry.thread = t->tid;
  entry.kind = op.kind;
  entry.flags = flags;
  if (__builtin_expect(g.frames != nullptr, 0)) copy_frames(t, g.frames + g.step * kStepFrames);
  ++g.step;
  g.published_steps->store(g.step, std::memory_order_relaxed);
  if (__builtin_expect(g.step >= g.step_limit, 0)) fail_livelock("the run took more steps than --max-steps allows");
}

inline void after_step(Thread* t) {
  t->quiet_accesses = 0;
  if (__builtin_expect((t->pending_signals & ~t->signal_mask) != 0, 0)) deliver_signals(t);
  if (__builtin_expect(t->cancel_pending && t->cancel_async, 0)) test_cancel();
}

// What both kinds of waiting share once the thread is back.
Wake end_of_wait(Thread* t) {
  Wake result = t->wake;
  if (t->state == Thread::kBlocked) {  // picked though nobody woke it: the deadline has passed
    result = Wake::kTimeout;
    t->state = Thread::kRunnable;
    if (t->external) remove_external(t);
    advance_clock(t->deadline);
  }
  unlink_waiter(t);
  disarm_deadline(t);
  t->can_proceed = nullptr;
  t->relock = nullptr;
  t->interruptible = false;
  t->clock_reads = 0;
  if (result == Wake::kTimeout) g.pending[t->tid].kind = OpKind::kTimeout;
  log_step(t, 0);
  note_write();
  after_step(t);
  return result;
}

}  // namespace

void begin_world(Context* main_context, Strategy* strategy, const RunPlan& plan, Shared* shared) {
  ++g.run;
  g.step = 0;
  g.step_limit = shared->step_capacity;
  if (shared->config.max_steps != 0 && shared->config.max_steps < g.step_limit) g.step_limit = shared->config.max_steps;
  g.log = shared->steps();
  g.published_steps = &shared->run.steps;
  g.published_steps->store(0, std::memory_order_relaxed);
  g.frames = shared->config.record_frames ? shared->frames() : nullptr;
  g.strategy = strategy;
  g.shared = shared;
  g.enabled_count = g.thread_count = g.live_count = g.spinner_count = g.idle_rounds = g.streak = 0;
  ++g.write_epoch;  // never the same again, also in the next run
  g.now = 0;
  g.timed = g.externals = nullptr;
  g.random = Random(plan.seed ^ 0x5bd1e995);
  g.world.pending = g.pending;
  g.world.timeout = g.timeout;
  g.world.thread_count = 0;
  strategy->begin(plan);
  Thread* main = add_thread(main_context, nullptr);
  g.pending[0] = {};
  g.current = main;
}

namespace {

// Wide stores one by one: for so few bytes the compiler's choice (rep stos) costs more to start than to run.
void clear_record(Thread* t) {
  using Block [[gnu::vector_size(16), gnu::may_alias]] = long long;
  static_assert(offsetof(Thread, name) % sizeof(Block) == 0 && alignof(Thread) % sizeof(Block) == 0);
  auto* block = reinterpret_cast<Block*>(t);
  for (std::size_t i = 0; i < offsetof(Thread, name) / sizeof(Block); ++i) {
    block[i] = Block{};
    asm volatile("" ::: "memory");  // or it becomes rep stos again
  }
}

}  // namespace

Thread* add_thread(Context* context, Thread* creator) {
  if (g.thread_count == kMaxThreads) return nullptr;
  const Tid tid = static_cast<Tid>(g.thread_count++);
  Thread* t = &g.threads[tid];
  clear_record(t);
  t->name[0] = 0;
  t->tid = tid;
  t->creator = creator ? creator->tid : kNoTid;
  t->slot = -1;
  t->deadline = kNever;
  t->bitset = ~0u;
  t->context = context;
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

void silent_step(OpKind kind, const void* object, std::uint64_t pc) {
  Thread* t = g.current;
  g.pending[t->tid] = {kind, reinterpret_cast<std::uint64_t>(object), pc};
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
    g.streak = 0;
    resume(t, next);
  } else {
    flags = reschedule(t);
  }
  log_step(t, flags);
  after_step(t);
}

Wake step_when(OpKind kind, SyncObject* object, bool (*can_proceed)(const SyncObject*, const Thread*),
               std::uint64_t pc, std::int64_t deadline, bool interruptible) {
  Thread* t = g.current;
  g.pending[t->tid] = {kind, object->address, pc};
  t->can_proceed = can_proceed;
  t->wake = Wake::kGranted;
  t->interruptible = interruptible;
  link_waiter(object, t);
  if (!can_proceed(object, t)) {
    t->state = Thread::kBlocked;
    disable(t);
    arm_deadline(t, deadline, kEarlyTimeoutOdds);
    check_cycle(t);
  }
  const std::uint8_t flags = reschedule(t);
  const bool waited = t->timed || t->state == Thread::kBlocked || t->wake != Wake::kGranted;
  if (waited) return end_of_wait(t);
  unlink_waiter(t);
  t->can_proceed = nullptr;
  t->interruptible = false;
  log_step(t, flags);
  after_step(t);
  return Wake::kGranted;
}

Wake wait_in_queue(SyncObject* object, std::uint64_t pc, std::int64_t deadline, SyncObject* relock,
                   bool (*can_relock)(const SyncObject*, const Thread*), bool interruptible) {
  Thread* t = g.current;
  if (is_cancelled(t)) return Wake::kCancelled;
  const OpKind kind = g.pending[t->tid].kind;
  g.pending[t->tid] = {kind, object->address, pc};
  t->state = Thread::kBlocked;
  t->wake = Wake::kGranted;
  t->wait_pc = pc;
  t->can_proceed = nullptr;
  t->relock = relock;
  t->can_relock = can_relock;
  t->interruptible = interruptible;
  link_waiter(object, t);
  disable(t);
  arm_deadline(t, deadline, kEarlyTimeoutOdds);
  reschedule(t);
  return end_of_wait(t);
}

Wake wait_external(bool (*ready)(Thread*), void* argument, std::uint64_t pc, std::int64_t deadline) {
  Thread* t = g.current;
  if (is_cancelled(t)) return Wake::kCancelled;
  g.pending[t->tid] = {OpKind::kExternal, 0, pc};
  t->state = Thread::kBlocked;
  t->wake = Wake::kGranted;
  t->external = t->interruptible = true;
  t->ready = ready;
  t->ready_argument = argument;
  // At the end of the list: first come, first asked.
  t->next_external = nullptr;
  Thread** link = &g.externals;
  while (*link) link = &(*link)->next_external;
  *link = t;
  disable(t);
  arm_deadline(t, deadline, kEarlyTimeoutOdds);
  reschedule(t);
  return end_of_wait(t);
}

Wake sleep_until(std::int64_t deadline, std::uint64_t pc) {
  Thread* t = g.current;
  if (is_cancelled(t)) return Wake::kCancelled;
  g.pending[t->tid] = {OpKind::kSleep, 0, pc};
  t->state = Thread::kBlocked;
  t->wake = Wake::kGranted;
  t->interruptible = true;
  disable(t);
  arm_deadline(t, deadline, kEarlySleepOdds);
  reschedule(t);
  return end_of_wait(t);
}

void recheck_externals() {
  if (g.externals) check_externals();
}

void object_changed(SyncObject* object) {
  Thread* first = object->waiters;
  if (!first) return;
  Thread* t = first;
  do {
    if (t->can_proceed && t->wake == Wake::kGranted) set_proceed(t, t->can_proceed(object, t));
    t = t->next_waiter;
  } while (t != first);
}

void wake_thread(Thread* t, Wake reason) {
  SyncObject* relock = t->relock;
  if (t->external) remove_external(t);
  unlink_waiter(t);
  disarm_deadline(t);
  t->wake = reason;
  t->relock = nullptr;
  if (reason == Wake::kCancelled) g.pending[t->tid].kind = OpKind::kCancel;
  if (reason == Wake::kInterrupted) g.pending[t->tid].kind = OpKind::kSignal;
  // Woken from a condition variable: competes for the mutex. (Cancelled ones take it again in the ordinary way.)
  if (relock && reason == Wake::kGranted) {
    t->can_proceed = t->can_relock;
    g.pending[t->tid] = {OpKind::kMutexLock, relock->address, t->wait_pc};
    link_waiter(relock, t);
    set_proceed(t, t->can_proceed(relock, t));
    return;
  }
  t->can_proceed = nullptr;
  t->state = Thread::kRunnable;
  enable(t);
}

std::uint32_t queue_length(const SyncObject* object) {
  std::uint32_t length = 0;
  if (const Thread* t = object->waiters) {
    do {
      ++length;
      t = t->next_waiter;
    } while (t != object->waiters);
  }
  return length;
}

std::uint32_t wake_queue(SyncObject* object, std::uint32_t count, std::uint32_t bitset) {
  std::uint32_t woken = 0;
  while (woken < count) {
    std::uint32_t eligible = 0;
    Thread* t = object->waiters;
    for (std::uint32_t i = queue_length(object); i > 0; --i, t = t->next_waiter) eligible += (t->bitset & bitset) != 0;
    if (eligible == 0) break;
    // Which one is not promised to anybody; when all are woken the question does not arise.
    std::uint32_t index = eligible > 1 && count - woken < eligible ? choose(eligible) : 0;
    for (t = object->waiters; (t->bitset & bitset) == 0 || index-- != 0;) t = t->next_waiter;
    wake_thread(t, Wake::kGranted);
    ++woken;
  }
  return woken;
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

void note_write() {
  ++g.write_epoch;
  g.idle_rounds = 0;
  g.current->spinning = false;
  g.current->burst = 0;
  g.current->clock_reads = 0;
  if (__builtin_expect(g.spinner_count != 0, 0)) release_spinners();
}

void note_read(std::uint64_t pc, std::uint64_t object) {
  Thread* t = g.current;
  const std::uint64_t key = pc * 31 + object;
  auto& slot = t->spin[(pc ^ (pc >> 5) ^ (object >> 3)) % kSpinSlots];
  if (slot.key == key && slot.epoch == g.write_epoch) {
    if (++slot.count < kSpinRepeats || t->burst != 0) return;
    if (slot.count == kSpinRepeats && !g.systematic && g.random.below(kBurstOdds) == 0) {
      t->burst = kBurstSteps;
    } else {
      t->spinning = true;
    }
  } else {
    slot = {key, g.write_epoch, 1};
  }
}

void copy_frames(const Thread* t, std::uint64_t* to) {
  const std::uint32_t depth = t->depth < kCallStackDepth ? t->depth : kCallStackDepth;
  for (std::uint32_t i = 0; i < kStepFrames; ++i) to[i] = i < depth ? t->calls[depth - 1 - i] : 0;
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
  if (t->signal_mask != next->signal_mask) apply_signal_mask(next);
  switch_context(context, next->context);
}

std::int64_t virtual_now() {
  Thread* t = g.current;
  // Reading the clock takes a microsecond. A thread that does nothing but read it waits for a time to come: let it
  // come in bigger and bigger leaps.
  const std::uint32_t leap = t->clock_reads++ / 16;
  g.now += 1000ll << (leap < 20 ? leap : 20);
  g.idle_rounds = 0;
  return g.now;
}

void advance_clock(std::int64_t to) {
  if (to != kNever && to > g.now) g.now = to;
}

}  // namespace snag::rt
