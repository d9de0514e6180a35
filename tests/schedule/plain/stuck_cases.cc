// Schedules and programs that cannot go on, one by its number: what is said about them is approved
// in baselines/. Each ends by itself, at once: there is no thread to wait for.
#include <snag/schedule.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>

namespace {

// Waiting for the schedule is not being blocked: each of the three waits for another one.
void all_wait_for_the_schedule() {
  snag::Schedule schedule("a1 -> start@b, [a1] -> b1, b1 -> c1, c1 -> a2", {"circle"});
  std::thread a = snag::thread("a", [] {
    SNAG_EVENT(a1);
    SNAG_EVENT(a2);
  });
  std::thread b = snag::thread("b", [] { SNAG_EVENT(b1); });
  SNAG_EVENT(c1);
  a.join();
  b.join();
}

// What main waits for comes only after main has gone on.
void program_does_not_follow() {
  snag::Schedule schedule("written -> read");
  std::promise<void> promise;
  std::thread writer = snag::thread("writer", [&] {
    promise.get_future().get();
    SNAG_EVENT(written);
  });
  SNAG_EVENT(read);
  promise.set_value();
  writer.join();
}

// It ends without having been blocked.
void never_blocked() {
  snag::Schedule schedule("[asks] -> answers");
  std::thread asker = snag::thread("asker", [] { SNAG_EVENT(asks); });
  SNAG_EVENT(answers);
  asker.join();
}

// The event that must not come has come in the only thread that could have made the other.
void too_late() {
  snag::Schedule schedule("!closes && waits -> reads", {"order"});
  SNAG_EVENT(waits);
  SNAG_EVENT(closes);
  SNAG_EVENT(reads);
}

// A third occurrence that there is not.
void one_too_few() {
  snag::Schedule schedule("end@putter -> take#1, put#3 -> take#2", {"occurrences"});
  std::thread putter = snag::thread("putter", [] {
    for (int i = 0; i < 2; ++i) SNAG_EVENT(put);
  });
  for (int i = 0; i < 2; ++i) SNAG_EVENT(take);
  putter.join();
}

void deadlock_of_the_program() {
  snag::Schedule schedule("start@other -> has.a -> has.b -> wants.b -> wants.a", {"both orders"});
  std::mutex a, b;
  std::thread other = snag::thread("other", [&] {
    std::lock_guard lock_b(b);
    SNAG_EVENT(has.b);
    SNAG_EVENT(wants.a);
    std::lock_guard lock_a(a);
  });
  {
    std::lock_guard lock_a(a);
    SNAG_EVENT(has.a);
    SNAG_EVENT(wants.b);
    std::lock_guard lock_b(b);
  }
  other.join();
}

// A thread waits for itself.
void locks_twice() {
  snag::Schedule schedule("", {"nothing"});
  std::mutex mutex;
  mutex.lock();
  mutex.lock();
}

void lost_wakeup() {
  snag::Schedule schedule("start@waiter -> notified -> waits");
  std::mutex mutex;
  std::condition_variable condition;
  std::thread waiter = snag::thread("waiter", [&] {
    SNAG_EVENT(waits);
    std::unique_lock lock(mutex);
    condition.wait(lock);
  });
  condition.notify_one();
  SNAG_EVENT(notified);
  waiter.join();
}

void violated() {
  snag::Schedule schedule("opened -> used, opened -> closes",
                          {"use", snag::ScheduleMode::kPassive});
  SNAG_EVENT(used);
  SNAG_EVENT(opened);
}

struct Case {
  const char* name;
  void (*run)();
};
constexpr Case kCases[] = {{"all-wait-for-the-schedule", all_wait_for_the_schedule},
                           {"program-does-not-follow", program_does_not_follow},
                           {"never-blocked", never_blocked},
                           {"too-late", too_late},
                           {"one-too-few", one_too_few},
                           {"deadlock-of-the-program", deadlock_of_the_program},
                           {"locks-twice", locks_twice},
                           {"lost-wakeup", lost_wakeup},
                           {"violated", violated}};

}  // namespace

int main(int count, char** arguments) {
  for (const Case& one : kCases) {
    if (count == 1) std::puts(one.name);
    if (count == 2 && std::strcmp(arguments[1], one.name) == 0) {
      one.run();
      return 0;
    }
  }
  return count == 1 ? 0 : 2;
}
