// What the tests of schedules share.
#pragma once

#include <gtest/gtest.h>
#include <sched.h>
#include <snag/schedule.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>

// Collects what schedules complain about, in place of aborting.
class Failures {
 public:
  Failures() : before_(snag::set_failure_handler(&add)) { text().clear(); }
  ~Failures() { snag::set_failure_handler(before_); }

  static std::string& text() {
    static std::string all;
    return all;
  }

 private:
  static void add(const char* message) { text() += message; }
  snag::FailureHandler before_;
};

inline pid_t own_tid() { return static_cast<pid_t>(syscall(SYS_gettid)); }

// Whether the kernel comes to say that the thread sleeps, independently of what Snag thinks. (Asked
// again, since a thread that is about to sleep has a few instructions left.)
inline bool falls_asleep(pid_t tid) {
  for (int i = 0; i < 100'000; ++i) {
    std::ifstream file("/proc/self/task/" + std::to_string(tid) + "/stat");
    std::string text;
    std::getline(file, text);
    const auto state = text.rfind(')');
    if (state != std::string::npos && text[state + 2] == 'S') return true;
    sched_yield();
  }
  return false;
}

// A thread waits by `wait`, and is woken by `wake`: in between it must count as blocked, and
// afterwards not.
template <class Wait, class Wake>
void expect_blocked(Wait wait, Wake wake) {
  const Failures failures;
  std::atomic<pid_t> tid{0};
  std::atomic<bool> returned{false}, over{false};
  {
    snag::Schedule schedule("[waits@sleeper] -> wakes, ![waits@sleeper] -> woken");
    std::thread sleeper([&] {
      SNAG_THREAD(sleeper);
      tid = own_tid();
      SNAG_EVENT(waits);
      wait();
      returned = true;
      while (!over) sched_yield();  // runs, and does not wait
    });
    SNAG_EVENT(wakes);
    EXPECT_FALSE(returned);
    EXPECT_TRUE(falls_asleep(tid));
    wake();
    SNAG_EVENT(woken);
    over = true;
    sleeper.join();
  }
  EXPECT_EQ(Failures::text(), "");
}
