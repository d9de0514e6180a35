#include "schedule/enforcer.h"

#include <errno.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <variant>
#include <vector>

#include "schedule/controlled.h"
#include "schedule/failure.h"
#include "schedule/feasible.h"
#include "schedule/marked_events.h"
#include "schedule/monitor.h"
#include "schedule/parser.h"
#include "schedule/sanitizers.h"
#include "schedule/watchdog.h"

constinit unsigned snag_schedule_generation = 0;

namespace snag::schedule {
namespace {

// What a waiting thread finds in its word.
constexpr std::uint32_t kKeepWaiting = 0, kGoOn = 1, kLook = 2;

struct Waiting {
  Thread* thread;
  Action action;
  const snag_event_site* site;  // null: not an event of the program
};

// The schedule that is active. Never freed while it is.
struct Active {
  explicit Active(Schedule schedule) : monitor(std::move(schedule)) {}

  Settings settings;
  Monitor monitor;
  std::vector<Waiting> waiting;       // oldest first
  std::vector<std::string> problems;  // what fails the test in the end
  bool released = false;              // something is wrong: nobody waits any more
  int stuck_looks = 0;                // in a row, at which nobody could go on
  std::int64_t stuck_since = 0;       // the last change before them
  std::int64_t last_change = is_controlled() ? 0 : now();
  std::map<std::string, char> orders;  // for ThreadSanitizer
};

constinit Active* active = nullptr;
constinit unsigned generations = 0;

Action action_of(EventKind kind, const Thread* thread) { return {kind, -1, thread->number}; }

bool is_waiting_for_good(const Wait& wait) {
  return wait.deadline == kNever && !wait.shared && wait.kind != WaitKind::kSleep &&
         wait.kind != WaitKind::kOutside && wait.kind != WaitKind::kKernel;
}

bool wants(const Thread* thread, const void* object) {
  return thread->wait.object == object || (thread->signalled && thread->wait.mutex == object);
}

bool waits_for(const Thread* thread, const void* object) {
  return thread->waits_in.load(std::memory_order_acquire) != WaitKind::kNone &&
         wants(thread, object);
}

// Whether it holds the mutex still that it is about to give back in the condition variable.
bool is_arriving(const Thread* thread) {
  if (thread->waits_in.load(std::memory_order_acquire) != WaitKind::kCondition) return false;
  const auto* mutex = static_cast<const pthread_mutex_t*>(thread->wait.mutex);
  return mutex && __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED) ==
                      thread->tid.load(std::memory_order_relaxed);
}

// Given back in a condition variable, for instance, of which nobody is told.
bool is_free(const void* mutex) {
  return __atomic_load_n(&static_cast<const pthread_mutex_t*>(mutex)->__data.__lock,
                         __ATOMIC_SEQ_CST) == 0;
}

// Whether somebody wakes those who wait for this at this very moment.
bool is_being_woken(const Thread* thread) {
  for (const Thread* t = first_thread(); t; t = t->next) {
    const void* object = t->waking.load(std::memory_order_seq_cst);
    if (object && wants(thread, object)) return true;
    if (t != thread && is_arriving(t) && wants(thread, t->wait.mutex)) return true;
  }
  return false;
}

// Whether only the kernel can say if the thread is asleep.
bool is_doubtful(const Thread* thread) {
  const Wait& wait = thread->wait;
  return thread->perhaps_awake || wait.kind == WaitKind::kOutside ||
         wait.kind == WaitKind::kKernel || (wait.deadline != kNever && now() >= wait.deadline) ||
         (wait.kind == WaitKind::kMutex && is_free(wait.object)) || is_being_woken(thread);
}

void tell_monitor(EventKind kind, Thread* thread) {
  if (active->monitor.mentions_blocking()) active->monitor.happened(action_of(kind, thread));
  thread->told = kind == EventKind::kBlock;
}

// Asks the kernel about a thread that has said that it waits. True if it is asleep.
bool resolve(Thread* thread) {
  if (thread->waits_in.load(std::memory_order_acquire) == WaitKind::kNone) return false;
  if (!is_doubtful(thread)) return true;
  const bool certain = !is_being_woken(thread);
  const Look look = look_at(thread, thread->wait);
  if (look == Look::kAsleep) {
    if (certain) thread->perhaps_awake = false;
    if (!thread->told) tell_monitor(EventKind::kBlock, thread);
    return certain;
  }
  if (look == Look::kAwake && thread->told) tell_monitor(EventKind::kUnblock, thread);
  return false;
}

// It was found asleep where nobody knew of (find_sleepers), and is not any more.
void forget_sleep(Thread* thread) {
  if (!thread->found_asleep) return;
  thread->found_asleep = false;
  tell_monitor(EventKind::kUnblock, thread);
}

// Under `snag run`: who is blocked is what the runtime says.
void ask_runtime() {
  for (Thread* t = first_thread(); t; t = t->next) {
    const bool blocked = !t->ended && !t->in_snag && snag_runtime_is_blocked(t->runtime_thread);
    if (blocked != t->told) tell_monitor(blocked ? EventKind::kBlock : EventKind::kUnblock, t);
  }
}

void resolve_all() {
  if (!active->monitor.mentions_blocking()) return;
  if (is_controlled()) return ask_runtime();
  for (Thread* t = first_thread(); t; t = t->next) {
    if (t->waits_in.load(std::memory_order_acquire) != WaitKind::kNone) {
      if (is_doubtful(t)) resolve(t);
    } else if (t->found_asleep && look_at(t, Wait{WaitKind::kKernel}) != Look::kAsleep) {
      forget_sleep(t);
    }
  }
}

// Threads that sleep in a system call that is not interposed. (Two looks: see sleeps_on.)
void find_sleepers() {
  if (!active->monitor.mentions_blocking()) return;
  for (Thread* t = first_thread(); t; t = t->next) {
    if (t->ended || t->in_snag || t->found_asleep || t->waits_in != WaitKind::kNone) continue;
    if (!sleeps_on(t)) continue;
    t->found_asleep = true;
    tell_monitor(EventKind::kBlock, t);
  }
}

// Whether somebody has to look again soon.
bool has_unresolved() {
  if (!active->monitor.mentions_blocking() || waiting_count.load() == 0) return false;
  for (const Thread* t = first_thread(); t; t = t->next) {
    if (t->waits_in.load(std::memory_order_acquire) == WaitKind::kNone) continue;
    if (!t->told || t->perhaps_awake) return true;
  }
  return false;
}

void wake(Thread* thread, std::uint32_t reason) {
  std::uint32_t expected = kKeepWaiting;
  if (reason == kGoOn)
    thread->word.store(kGoOn);
  else if (!thread->word.compare_exchange_strong(expected, reason))
    return;
  Critical::wake_after(thread->word);
}

// ThreadSanitizer: an event comes after those that its conditions name, and those that theirs do.
// To it they are addresses, one for an event's name, and for the start and the end of a thread's
// name.
std::string order_key(EventKind kind, const std::string& name, const std::string& thread) {
  return kind == EventKind::kNamed ? name : std::string(keyword_of(kind)) + "@" + thread;
}

void tell_predecessors(const std::string& key, std::set<std::string>& seen) {
  if (!seen.insert(key).second) return;
  const auto tell = [&](const auto& self, const Condition& condition) -> void {
    if (condition.op == Condition::Op::kNot) return;
    for (const Condition& part : condition.parts) self(self, part);
    if (!condition.parts.empty()) return;
    const EventRef& event = condition.event;
    const std::string before = order_key(event.kind, event.name, event.thread);
    tell_after(&active->orders[before]);
    tell_predecessors(before, seen);
  };
  for (const Ordering& ordering : active->monitor.schedule().orderings) {
    const EventRef& event = ordering.event;
    if (order_key(event.kind, event.name, event.thread) == key) tell(tell, ordering.condition);
  }
}

void happen(const Action& action) {
  active->monitor.happened(action);
  if (is_controlled())
    snag_runtime_note_event();
  else
    active->last_change = now();
}

// Lets all go on who may.
void let_go_on() {
  if (active->waiting.empty()) return;
  resolve_all();
  for (std::size_t i = 0; i < active->waiting.size();) {
    const Waiting waiting = active->waiting[i];
    if (!active->released && !active->monitor.may_happen(waiting.action)) {
      ++i;
      continue;
    }
    happen(waiting.action);
    active->waiting.erase(active->waiting.begin() + static_cast<std::ptrdiff_t>(i));
    waiting.thread->in_snag = false;
    wake(waiting.thread, kGoOn);
    if (is_controlled()) snag_runtime_note_event();
    i = 0;
  }
  // One of them looks again until everything is certain.
  if (!active->waiting.empty() && has_unresolved()) wake(active->waiting.front().thread, kLook);
}

void release_all(const std::string& problem) {
  active->problems.push_back(problem);
  active->released = true;
  let_go_on();
}

std::vector<ThreadState> states() {
  std::vector<ThreadState> result;
  for (const Thread* t = first_thread(); t; t = t->next) {
    ThreadState state;
    state.number = t->number;
    state.name = t->name;
    state.ended = t->ended;
    if (t->waits_in.load(std::memory_order_acquire) != WaitKind::kNone) {
      state.wait = t->wait;
      if (t->wait.kind == WaitKind::kJoin && t->wait.object) {
        const auto* other = static_cast<const Thread*>(t->wait.object);
        state.joins = thread_text(other->number, other->name);
      }
    }
    for (const Waiting& waiting : active->waiting) {
      if (waiting.thread != t) continue;
      state.site = waiting.site;
      state.action = waiting.action;
      state.in_snag = true;
    }
    result.insert(result.begin(), state);
  }
  return result;
}

Situation situation() {
  return {active->settings.name, active->settings.text, active->monitor, states()};
}

// Whether all threads have said that they wait for ever.
bool nobody_runs(int& count) {
  for (const Thread* t = first_thread(); t; t = t->next) {
    if (t->ended) continue;
    ++count;
    if (t->in_snag) continue;
    if (t->waits_in.load(std::memory_order_acquire) == WaitKind::kNone || t->leaving ||
        !is_waiting_for_good(t->wait))
      return false;
    if (t->wait.kind == WaitKind::kJoin &&
        (!t->wait.object || static_cast<const Thread*>(t->wait.object)->ended))
      return false;
    if (is_being_woken(t) || (t->wait.kind == WaitKind::kMutex && is_free(t->wait.object)))
      return false;
  }
  return true;
}

// Whether they all sleep: a signal or a cancellation may have woken one, so the kernel has the last
// word.
bool all_sleep() {
  for (Thread* t = first_thread(); t; t = t->next) {
    if (t->ended || t->in_snag) continue;
    if (!resolve(t) || look_at(t, t->wait) != Look::kAsleep) return false;
  }
  return true;
}

// Finds out whether nobody can go on. Only the watchdog asks, which costs the program nothing, and
// it asks several times: a thread that was woken may still look asleep for a moment.
void check_stuck() {
  constexpr int kLooks = 4;
  int threads = 0;
  const bool changed = active->last_change != active->stuck_since;
  active->stuck_since = active->last_change;
  if (changed || !nobody_runs(threads) || !all_sleep()) {
    active->stuck_looks = 0;
    return;
  }
  if (++active->stuck_looks < kLooks) return;
  const std::size_t before = active->waiting.size();
  let_go_on();  // by now more may be known
  if (active->waiting.size() != before || has_unknown_tasks(threads + own_tasks())) return;
  if (active->waiting.empty()) {
    std::string text;
    for (const std::string& problem : active->problems) text += problem + "\n";
    die_of(text + deadlock_text(situation()));
  }
  if (!active->released) release_all(infeasible_text(situation()));
}

// Under `snag run`: whether some thread can go on that does not wait here.
bool somebody_can_go_on() {
  for (unsigned i = 0; i < snag_runtime_thread_count(); ++i) {
    bool waits_here = false;
    for (const Waiting& waiting : active->waiting)
      if (waiting.thread->runtime_thread == i) waits_here = true;
    if (!waits_here && snag_runtime_can_go_on(i)) return true;
  }
  return false;
}

void wait_in_runtime(Critical& critical, const Thread* self) {
  while (self->word.load() != kGoOn) {
    if (!somebody_can_go_on()) {
      const std::size_t before = active->waiting.size();
      let_go_on();
      if (active->waiting.size() != before) continue;
      snag_runtime_abandon_run();
    }
    critical.pause();
    snag_runtime_let_others_run();
    critical.resume();
    if (self->word.load() != kGoOn) let_go_on();
  }
}

int count_runnable() {
  int count = 0;
  for (const Thread* t = first_thread(); t; t = t->next) {
    if (!t->ended && !t->in_snag && t->waits_in.load() == WaitKind::kNone) ++count;
  }
  return count;
}

int count_processors() {
  static const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return static_cast<int>(count);
}

void wait_in_snag(Critical& critical, Thread* self, const Action& action,
                  const snag_event_site* site) {
  self->word.store(kKeepWaiting);
  self->in_snag = true;
  active->waiting.push_back({self, action, site});
  if (is_controlled()) return wait_in_runtime(critical, self);
  constexpr std::int64_t kSpinTime = 50'000;  // about as long as a thread takes to start
  constexpr int kSpins = 16;
  constexpr int kLooks = 10;
  constexpr std::int64_t kFirstPause = 20'000, kLongestPause = 1'000'000;
  int looks = 0;
  std::int64_t pause = kFirstPause;
  while (self->word.load() != kGoOn) {
    const bool look = has_unresolved() && active->waiting.front().thread == self;
    self->word.store(kKeepWaiting);
    // The others need this processor, too.
    const bool crowded = count_runnable() >= count_processors();
    critical.release();
    if (!look) {
      // Often it is allowed soon: that costs less than to sleep and to be woken.
      for (const std::int64_t end = now() + kSpinTime;
           self->word.load() == kKeepWaiting && now() < end;) {
        for (int i = 0; i < kSpins && self->word.load() == kKeepWaiting; ++i) relax_processor();
        if (crowded) yield_processor();
      }
      wait_on(self->word, kKeepWaiting);
      looks = 0;
      pause = kFirstPause;
    } else if (++looks < kLooks) {
      for (int i = 0; i < 2 * kSpins; ++i) relax_processor();
    } else {
      wait_on(self->word, kKeepWaiting, pause);
      if (pause < kLongestPause) pause += pause / 2;
    }
    critical.acquire();
    if (look && self->word.load() != kGoOn) let_go_on();
  }
}

// The caller does `action`: at once, or when the schedule allows it.
void pass(Critical& critical, Thread* self, const Action& action, const snag_event_site* site) {
  forget_sleep(self);
  resolve_all();
  if (active->settings.mode == Mode::kPassive || active->released ||
      active->monitor.may_happen(action)) {
    happen(action);
    let_go_on();
  } else {
    wait_in_snag(critical, self, action, site);
  }
}

// The same, and ThreadSanitizer hears of it: the program may rely on the order.
void pass_in_order(Critical& critical, Thread* self, const Action& action,
                   const snag_event_site* site, const char* name) {
  if (!has_thread_sanitizer() || active->settings.mode != Mode::kActive)
    return pass(critical, self, action, site);
  const unsigned generation = generations;
  const std::string key = order_key(action.kind, normal_name(name), self->name);
  tell_before(&active->orders[key]);
  pass(critical, self, action, site);
  std::set<std::string> seen;
  if (active && generation == generations) tell_predecessors(key, seen);
}

void introduce(Thread* thread) {
  active->monitor.thread_named(thread->number, thread->name);
  if (thread->name[0] != '\0') happen(action_of(EventKind::kStart, thread));
}

int index_of(snag_event_site* site, unsigned generation) {
  if (__atomic_load_n(&site->known, __ATOMIC_ACQUIRE) == generation)
    return __atomic_load_n(&site->index, __ATOMIC_RELAXED);
  const int index = active->monitor.mentions(site->name);
  __atomic_store_n(&site->index, index, __ATOMIC_RELAXED);
  __atomic_store_n(&site->known, generation, __ATOMIC_RELEASE);
  if (index < 0) __atomic_store_n(&site->skipped, generation, __ATOMIC_RELAXED);
  return index;
}

}  // namespace

std::string begin_schedule(const Settings& settings) {
  if (settings.mode == Mode::kOff) return "";
  Thread* self = this_thread();
  auto parsed = parse(settings.text);
  if (const auto* error = std::get_if<ParseError>(&parsed))
    return message_with_caret(settings.text, *error);
  const auto& schedule = std::get<Schedule>(parsed);
  auto fault = check_normal_names(schedule, *marked_events());
  if (!fault) fault = check_feasible(schedule);
  if (fault) return message_with_caret(settings.text, *fault);
  auto fresh = std::make_unique<Active>(std::get<Schedule>(std::move(parsed)));
  fresh->settings = settings;
  if (!is_controlled()) start_watchdog();
  Critical critical;
  if (active) {
    return "a schedule is active already" +
           (active->settings.name.empty() ? "" : " (" + active->settings.name + ")") +
           ": end it first; there can be one at a time";
  }
  forget_ended_threads();
  active = fresh.release();
  introduce(self);
  for (Thread* t = first_thread(); t; t = t->next) {
    t->told = t->found_asleep = false;
    t->perhaps_awake = t->signalled = t != self;  // they did not tell when they were woken
    if (t != self && !t->ended) introduce(t);
  }
  if (++generations == 0) ++generations;
  __atomic_store_n(&snag_schedule_generation, generations, __ATOMIC_RELEASE);
  wake_watchdog();
  return "";
}

std::string end_schedule() {
  Critical critical;
  if (!active) return "";
  std::string text;
  if (!active->waiting.empty()) release_all(left_waiting_text(situation()));
  const std::string rest = end_text(situation(), active->settings.mode == Mode::kPassive);
  for (const std::string& problem : active->problems) text += problem + "\n";
  text += rest;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  __atomic_store_n(&snag_schedule_generation, 0u, __ATOMIC_RELEASE);
  delete active;
  active = nullptr;
  return text;
}

void reach_event(snag_event_site* site) {
  if (inside()) return;
  Thread* self = this_thread();
  Critical critical;
  if (!self || !active) return;
  const int index = index_of(site, generations);
  if (index < 0) return;
  pass_in_order(critical, self, Action::event(index, self->number), site, site->name);
}

void name_thread(Thread* thread, const char* name) {
  Thread* self = this_thread();
  Critical critical;
  std::strncpy(thread->name, name, Thread::kMaxName - 1);
  if (!active) return;
  active->monitor.thread_named(thread->number, thread->name);
  const Action start = action_of(EventKind::kStart, thread);
  if (thread == self) {
    pass_in_order(critical, self, start, nullptr, "");
  } else {
    happen(start);
    let_go_on();
  }
}

void end_thread(Thread* thread) {
  Critical critical;
  if (active) pass_in_order(critical, thread, action_of(EventKind::kEnd, thread), nullptr, "");
  thread->ended = true;
  for (Thread* t = first_thread(); t; t = t->next) {
    if (waits_for(t, thread)) t->perhaps_awake = true;
  }
  if (!active) {
    forget_ended_threads();
    return;
  }
  let_go_on();
}

void note_exception(Thread* thread, const std::string& what) {
  Critical critical;
  if (active)
    active->problems.push_back("thread " + thread_text(thread->number, thread->name) +
                               " ended with an exception: " + what);
}

WaitScope::WaitScope(const Wait& wait, Attempt once_more) {
  if (inside() || is_controlled()) return;
  const int error = errno;
  Thread* self = this_thread();
  if (!self) return;
  if (!watching()) {
    self->wait = wait;
    self->waits_in.store(wait.kind, std::memory_order_release);
    waiting_count.fetch_add(1);
    thread_ = self;
    return;
  }
  Critical critical;
  if (active && active->monitor.mentions_blocking()) {
    forget_sleep(self);
    const Action block = action_of(EventKind::kBlock, self);
    // Before it blocks: it may have to wait here first.
    if (active->settings.mode == Mode::kActive && !active->released &&
        !active->monitor.may_happen(block)) {
      wait_in_snag(critical, self, block, nullptr);
      // It has happened, whatever comes now.
      self->told = true;
    }
  }
  if (once_more.call && once_more.call(once_more.argument)) {
    needed_ = false;
    if (active && self->told) pass(critical, self, action_of(EventKind::kUnblock, self), nullptr);
    self->told = false;
    errno = error;
    return;
  }
  self->wait = wait;
  self->perhaps_awake = self->signalled = false;
  self->leaving = false;
  self->waits_in.store(wait.kind, std::memory_order_release);
  waiting_count.fetch_add(1);
  thread_ = self;
  if (!active) return;
  // Whoever wants the mutex may have it soon.
  if (wait.mutex) {
    for (Thread* t = first_thread(); t; t = t->next) {
      if (t != self && waits_for(t, wait.mutex)) t->perhaps_awake = true;
    }
  }
  if (!self->told && wait.kind != WaitKind::kOutside) tell_monitor(EventKind::kBlock, self);
  active->last_change = now();
  let_go_on();
  errno = error;
}

WaitScope::~WaitScope() {
  if (!thread_) return;
  const int error = errno;
  Thread* self = thread_;
  if (!watching() && !self->told) {
    self->waits_in.store(WaitKind::kNone, std::memory_order_release);
    waiting_count.fetch_sub(1);
    return;
  }
  self->leaving = true;
  {
    Critical critical;
    self->waits_in.store(WaitKind::kNone, std::memory_order_release);
    waiting_count.fetch_sub(1);
    self->leaving = false;
    self->perhaps_awake = false;
    if (active && self->told) {
      active->last_change = now();
      if (active->monitor.mentions_blocking())
        pass(critical, self, action_of(EventKind::kUnblock, self), nullptr);
    }
    self->told = false;
  }
  errno = error;
}

WakeScope::WakeScope(const void* object) {
  if (!watching() || inside() || is_controlled()) return;
  thread_ = this_thread();
  if (thread_) thread_->waking.store(object, std::memory_order_seq_cst);
}

WakeScope::~WakeScope() {
  if (!thread_) return;
  if (waiting_count.load() > 0) {
    const int error = errno;
    const void* object = thread_->waking.load(std::memory_order_relaxed);
    Critical critical;
    bool any = false;
    for (Thread* t = first_thread(); t; t = t->next) {
      if (t == thread_ || !waits_for(t, object)) continue;
      t->perhaps_awake = true;
      if (t->wait.kind == WaitKind::kCondition) t->signalled = true;
      any = true;
    }
    thread_->waking.store(nullptr);
    if (any && active && !active->waiting.empty() && active->monitor.mentions_blocking())
      wake(active->waiting.front().thread, kLook);
    errno = error;
  }
  thread_->waking.store(nullptr);
}

void let_arrive(const void* object) {
  if (waiting_count.load() == 0 || inside() || is_controlled()) return;
  // It needs a few instructions; but it may have lost its processor.
  constexpr int kTries = 100;
  for (int tries = 0;; ++tries) {
    {
      Critical critical;
      bool arriving = false;
      for (const Thread* t = first_thread(); t; t = t->next) {
        if (is_arriving(t) && (t->wait.object == object || t->wait.mutex == object))
          arriving = true;
      }
      if (!arriving) return;
    }
    if (tries < kTries)
      relax_processor();
    else
      yield_processor();
  }
}

int count_waiters(const void* object) {
  int count = 0;
  for (const Thread* t = first_thread(); t; t = t->next) {
    if (waits_for(t, object) && !t->perhaps_awake && !is_being_woken(t)) ++count;
  }
  return count;
}

// ---- The watchdog's part. ----

void watch() {
  Critical critical;
  if (!active) return;
  find_sleepers();
  let_go_on();
  check_stuck();
  const double quiet = static_cast<double>(now() - active->last_change) * 1e-9;
  if (!active->released && !active->waiting.empty() && quiet >= active->settings.time_limit)
    release_all(time_limit_text(situation(), active->settings.time_limit));
}

void forget_schedule() {
  __atomic_store_n(&snag_schedule_generation, 0u, __ATOMIC_RELEASE);
  active = nullptr;
}

}  // namespace snag::schedule
