#include "schedule/enforce/enforcer.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <variant>

#include "schedule/enforce/gate.h"
#include "schedule/enforce/marked_events.h"
#include "schedule/enforce/sanitizers.h"
#include "schedule/enforce/sleepers.h"
#include "schedule/enforce/stuck.h"
#include "schedule/enforce/watchdog.h"
#include "schedule/language/feasible.h"
#include "schedule/language/parser.h"

constinit unsigned snag_schedule_generation = 0;

namespace snag::schedule {

namespace {

constinit unsigned generations = 0;

// ThreadSanitizer must know that an event comes after those that its conditions name, and after
// those that their conditions name. It knows them by addresses: one for each event's name, and one
// each for the start and the end of a thread's name.
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

// Passes the action, and tells ThreadSanitizer: the program may rely on the order.
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

// Ends the record of a thread that was not made by our pthread_create.
struct AtEnd {
  Thread* thread = nullptr;
  ~AtEnd() {
    if (thread) end_thread(thread);
    current_thread = nullptr;
  }
};

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
  if (!is_controlled()) start_watchdog({watching, check_progress, forget_schedule});
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
    t->reported = t->found_asleep = false;
    t->perhaps_awake = t->signalled = t != self;  // they did not report when they were woken
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

Thread* this_thread() {
  if (current_thread) return current_thread;
  thread_local AtEnd at_end;
  Critical critical;
  Thread* thread = add_thread();
  if (!thread) return nullptr;
  adopt(thread);
  if (program_has_begun) at_end.thread = thread;  // not main
  thread->handle = pthread_self();
  thread->has_handle = true;
  const bool is_main = is_controlled() ? thread->runtime_thread == 0
                                       : thread->tid == static_cast<pid_t>(raw_syscall(SYS_getpid));
  if (is_main) std::strcpy(thread->name, "main");
  return thread;
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
