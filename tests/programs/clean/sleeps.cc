// Expect: clean
// Every kind of sleep: the clocks advance at least as much as requested.
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <thread>

using std::chrono::steady_clock, std::chrono::system_clock, std::chrono::milliseconds;

template <class F>
void AtLeast(milliseconds request, F sleep) {
  auto steady = steady_clock::now();
  auto system = system_clock::now();
  sleep();
  assert(steady_clock::now() - steady >= request);
  assert(system_clock::now() - system >= request);
}

void Body() {
  const milliseconds some(3);
  AtLeast(some, [&] { std::this_thread::sleep_for(some); });
  AtLeast(some, [&] { std::this_thread::sleep_until(steady_clock::now() + some); });
  AtLeast(some, [&] { std::this_thread::sleep_until(system_clock::now() + some); });
  AtLeast(some, [] { usleep(3000); });
  AtLeast(some, [] {
    timespec request{0, 3'000'000}, left;
    assert(nanosleep(&request, &left) == 0);
  });
  AtLeast(some, [] {
    timespec request{0, 3'000'000};
    assert(clock_nanosleep(CLOCK_REALTIME, 0, &request, nullptr) == 0);
  });
  AtLeast(some, [] {
    timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_nsec += 3'000'000;
    if (deadline.tv_nsec >= 1'000'000'000) ++deadline.tv_sec, deadline.tv_nsec -= 1'000'000'000;
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == 0);
  });
  AtLeast(milliseconds(0), [] {
    timespec past{1, 0};
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, nullptr) == 0);
  });
}

int main() {
  std::thread a(Body), b(Body);
  a.join();
  b.join();
  AtLeast(milliseconds(1000), [] { assert(sleep(1) == 0); });
}
