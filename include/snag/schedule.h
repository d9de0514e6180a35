// Tests with several threads that state the order of events, instead of sleeping.
//
//   #include <snag/schedule.h>
//
//   snag::Schedule schedule{"finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2"};
//   std::thread adder([&] {
//     SNAG_THREAD(adder);
//     queue.add(1);
//     SNAG_EVENT(finishedAdd1);
//     SNAG_EVENT(startingAdd2);
//     queue.add(2);
//   });
//   SNAG_EVENT(startingTake1);
//   queue.take();
//   SNAG_EVENT(startingTake2);
//   queue.take();
//   adder.join();
//
// An event waits until the schedule allows it; at the end of its scope the schedule fails the test
// if it was not met. Compile as usual and link with libsnag_schedule (snag::schedule in CMake,
// snag-schedule for pkg-config). docs/guide/schedules.md describes it,
// docs/reference/schedule-language.md the language.
#pragma once

#include <snag/schedule_c.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

// Marks a place that schedules can name: SNAG_EVENT(finishedAdd1), SNAG_EVENT(queue.put). Without a
// schedule it costs a load. (The name is also stored in a section of its own, where a schedule's
// names are looked up.)
#define SNAG_EVENT(...)                                                                    \
  do {                                                                                     \
    static_assert(::snag::schedule_detail::is_name(#__VA_ARGS__, true),                    \
                  "SNAG_EVENT takes a name, such as taken or queue.put");                  \
    __asm__ volatile(".pushsection snag_events,\"aR\",@progbits\n\t.asciz \"" #__VA_ARGS__ \
                     "\"\n\t.popsection");                                                 \
    static ::snag_event_site snag_site_ =                                                  \
        ::snag::schedule_detail::site(#__VA_ARGS__, __FILE__, __LINE__);                   \
    ::snag::schedule_detail::pass(&snag_site_);                                            \
  } while (false)

// Gives the current thread a name: SNAG_THREAD(adder). start@adder happens here.
#define SNAG_THREAD(name)                                         \
  do {                                                            \
    static_assert(::snag::schedule_detail::is_name(#name, false), \
                  "SNAG_THREAD takes a name, such as adder");     \
    ::snag_schedule_name_thread(#name);                           \
  } while (false)

namespace snag {

// A schedule that cannot be used, with the reason.
class ScheduleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class ScheduleMode {
  kActive = SNAG_SCHEDULE_ACTIVE,    // events wait until the schedule allows them
  kPassive = SNAG_SCHEDULE_PASSIVE,  // no thread waits; the order that happened is checked
  kOff = SNAG_SCHEDULE_OFF,          // nothing happens
};

struct ScheduleOptions {
  std::string name = {};  // for messages
  ScheduleMode mode = ScheduleMode::kActive;
  double time_limit = 0;  // seconds without an event; 0: SNAG_SCHEDULE_TIMEOUT, or 10
};

// The function to call when a schedule was not met, in the thread that ends it. Without one the
// message goes to standard error, and the process aborts.
using FailureHandler = void (*)(const char* message);
inline FailureHandler set_failure_handler(FailureHandler handler) {
  return snag_schedule_set_handler(handler);
}

namespace schedule_detail {
// Set by a test framework's header, if tests can be given up without an exception.
inline bool (*test_has_given_up)() = nullptr;
}  // namespace schedule_detail

class Schedule {
 public:
  // Throws ScheduleError if the text is wrong, or if another schedule is active.
  explicit Schedule(const std::string& text, const ScheduleOptions& options = {}) {
    const snag_schedule_options plain = {text.c_str(), options.name.c_str(),
                                         static_cast<int>(options.mode), options.time_limit};
    char* error = snag_schedule_begin(&plain);
    if (!error) return;
    const std::string message = error;
    std::free(error);
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
    throw ScheduleError(message);
#else
    std::fprintf(stderr, "%s\n", message.c_str());
    std::abort();
#endif
  }
  Schedule(const std::string& text, ScheduleMode mode) : Schedule(text, options_for(mode)) {}
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;
  ~Schedule() { finish(); }

  // Ends the schedule: waiting threads go on. Join your threads first. Returns true if the schedule
  // was satisfied; else reports to the failure handler.
  bool finish() {
    if (finished_) return met_;
    finished_ = true;
    char* failure = given_up() ? snag_schedule_abandon() : snag_schedule_end();
    if (!failure) return true;
    met_ = false;
    snag_schedule_fail(failure);
    std::free(failure);
    return false;
  }

 private:
  // A test that was given up need not reach all events.
  bool given_up() const {
    return std::uncaught_exceptions() > exceptions_ ||
           (schedule_detail::test_has_given_up && schedule_detail::test_has_given_up());
  }

  static ScheduleOptions options_for(ScheduleMode mode) {
    ScheduleOptions options;
    options.mode = mode;
    return options;
  }

  int exceptions_ = std::uncaught_exceptions();
  bool finished_ = false;
  bool met_ = true;
};

// A std::thread with a name.
template <class Function, class... Arguments>
std::thread thread(std::string name, Function&& function, Arguments&&... arguments) {
  return std::thread(
      [name = std::move(name)](auto&& body, auto&&... values) {
        snag_schedule_name_thread(name.c_str());
        std::invoke(std::forward<decltype(body)>(body), std::forward<decltype(values)>(values)...);
      },
      std::forward<Function>(function), std::forward<Arguments>(arguments)...);
}

namespace schedule_detail {

// What a schedule can name: words, with dots or :: between them.
constexpr bool is_name(const char* text, bool dots) {
  bool in_word = false;
  for (; *text; ++text) {
    const char c = *text;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                        static_cast<unsigned char>(c) >= 0x80;
    if (letter || (in_word && c >= '0' && c <= '9')) {
      in_word = true;
    } else if (dots && in_word && (c == '.' || (c == ':' && text[1] == ':'))) {
      in_word = false;
      if (c == ':') ++text;
    } else if (c != ' ') {
      return false;
    }
  }
  return in_word;
}

// (No braces in the macro: they would not go through the macros of test frameworks.)
constexpr snag_event_site site(const char* name, const char* file, int line) {
  return {name, file, line, 0, 0, -1};
}

inline void pass(snag_event_site* site) {
  const unsigned generation = __atomic_load_n(&snag_schedule_generation, __ATOMIC_RELAXED);
  if (__builtin_expect(generation == 0, 1)) return;
  if (__atomic_load_n(&site->skipped, __ATOMIC_RELAXED) != generation) snag_schedule_reach(site);
}

extern "C" {
extern const char __start_snag_events[] __attribute__((weak, visibility("hidden")));
extern const char __stop_snag_events[] __attribute__((weak, visibility("hidden")));
}

// One for each module of the program: hidden, so that each has its own.
struct __attribute__((visibility("hidden"))) ModuleEvents {
  ModuleEvents() {
    if (__start_snag_events) snag_schedule_add_events(__start_snag_events, __stop_snag_events);
  }
  ~ModuleEvents() { snag_schedule_remove_events(__start_snag_events); }
};
__attribute__((visibility("hidden"))) inline ModuleEvents module_events;

}  // namespace schedule_detail
}  // namespace snag
