#include "schedule/enforce/enforcer.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <variant>

#include "schedule/enforce/enforcer_state.h"
#include "schedule/enforce/marked_events.h"
#include "schedule/enforce/sanitizers.h"
#include "schedule/enforce/watchdog.h"
#include "schedule/language/feasible.h"
#include "schedule/language/parser.h"

constinit unsigned snag_schedule_generation = 0;

namespace snag::schedule {

constinit Active* active = nullptr;

namespace {

constinit unsigned generations = 0;

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

// How long it is worth to spin: until what was waited for usually comes.
class SpinTime {
 public:
  // Whether the word changed meanwhile.
  bool spin(const Word& word, std::uint32_t value) {
    if (pauses_.load(std::memory_order_relaxed) > 0) {
      pauses_.fetch_sub(1, std::memory_order_relaxed);
      return word.load() != value;
    }
    const std::int64_t time = time_.load(std::memory_order_relaxed);
    const std::int64_t begin = now();
    std::int64_t last = begin;
    while (word.load() == value && last - begin < time) {
      for (int i = 0; i < kSpins && word.load() == value; ++i) relax_processor();
      raw_syscall(SYS_sched_yield);  // whoever is waited for may need this very processor
      const std::int64_t present = now();
      // The machine is busy with other things. Who sleeps is woken before them, who yields is not.
      if (present - last > kSlice) pauses_.store(kPauses, std::memory_order_relaxed);
      last = present;
    }
    const bool changed = word.load() != value;
    time_.store(changed ? std::min(2 * time, kLongest) : std::max(time / 2, kShortest),
                std::memory_order_relaxed);
    return changed;
  }

 private:
  static constexpr int kSpins = 16;
  static constexpr std::int64_t kShortest = 1'000;
  static constexpr std::int64_t kLongest = 50'000;  // about as long as a thread takes to start
  static constexpr std::int64_t kSlice = 500'000;
  static constexpr int kPauses = 20;
  std::atomic<std::int64_t> time_{kLongest};
  std::atomic<int> pauses_{0};
};
constinit SpinTime spin_time;

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

void wake(Thread* thread, std::uint32_t reason) {
  std::uint32_t expected = kKeepWaiting;
  if (reason == kGoOn)
    thread->word.store(kGoOn);
  else if (!thread->word.compare_exchange_strong(expected, reason))
    return;
  Critical::wake_after(thread->word);
}

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

void wait_in_snag(Critical& critical, Thread* self, const Action& action,
                  const snag_event_site* site) {
  self->word.store(kKeepWaiting);
  self->in_snag = true;
  active->waiting.push_back({self, action, site});
  if (is_controlled()) return wait_in_runtime(critical, self);
  constexpr int kSpins = 32;
  constexpr int kLooks = 10;
  constexpr std::int64_t kFirstPause = 20'000, kLongestPause = 1'000'000;
  int looks = 0;
  std::int64_t pause = kFirstPause;
  while (self->word.load() != kGoOn) {
    const bool look = has_unresolved() && active->waiting.front().thread == self;
    self->word.store(kKeepWaiting);
    critical.release();
    if (!look) {
      // Often it is allowed soon: that costs less than to sleep and to be woken.
      if (!spin_time.spin(self->word, kKeepWaiting)) wait_on(self->word, kKeepWaiting);
      looks = 0;
      pause = kFirstPause;
    } else if (++looks < kLooks) {
      for (int i = 0; i < kSpins; ++i) relax_processor();
    } else {
      wait_on(self->word, kKeepWaiting, pause);
      if (pause < kLongestPause) pause += pause / 2;
    }
    critical.acquire();
    if (look && self->word.load() != kGoOn) let_go_on();
  }
}

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

std::string end_schedule(bool abandoned) {
  Critical critical;
  if (!active) return "";
  std::string text;
  if (!active->waiting.empty() && !abandoned)
    active->problems.push_back(left_waiting_text(situation()));
  active->released = true;
  let_go_on();
  const std::string rest =
      end_text(situation(), active->settings.mode == Mode::kPassive, abandoned);
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

}  // namespace snag::schedule
