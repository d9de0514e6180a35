// Expect: clean
// Clocks never go back, within a thread and from one thread to the next, and all of them feel a
// sleep.
#include <sys/time.h>
#include <time.h>

#include <cassert>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

constexpr clockid_t kClocks[] = {CLOCK_MONOTONIC,       CLOCK_REALTIME,
                                 CLOCK_BOOTTIME,        CLOCK_MONOTONIC_RAW,
                                 CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE};
constexpr int kCount = sizeof kClocks / sizeof *kClocks;
std::mutex mutex;
std::int64_t last[kCount], last_micros;
time_t last_time;

std::int64_t Now(clockid_t clock) {
  timespec t;
  assert(clock_gettime(clock, &t) == 0 && t.tv_nsec >= 0 && t.tv_nsec < 1'000'000'000);
  return t.tv_sec * std::int64_t{1'000'000'000} + t.tv_nsec;
}

void Check() {
  std::lock_guard lock(mutex);
  for (int i = 0; i < kCount; ++i) {
    std::int64_t now = Now(kClocks[i]);
    assert(now >= last[i]);
    last[i] = now;
  }
  timeval t;
  gettimeofday(&t, nullptr);
  std::int64_t micros = t.tv_sec * std::int64_t{1'000'000} + t.tv_usec;
  assert(micros >= last_micros);
  last_micros = micros;
  time_t seconds = time(nullptr);
  assert(seconds >= last_time);
  last_time = seconds;
}

int main() {
  auto body = [] {
    for (int i = 0; i < 2; ++i) {
      Check();
      std::int64_t monotonic = Now(CLOCK_MONOTONIC), real = Now(CLOCK_REALTIME),
                   boot = Now(CLOCK_BOOTTIME);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      assert(Now(CLOCK_MONOTONIC) - monotonic >= 5'000'000 &&
             Now(CLOCK_REALTIME) - real >= 5'000'000);
      assert(Now(CLOCK_BOOTTIME) - boot >= 5'000'000);
    }
    Check();
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  Check();
}
