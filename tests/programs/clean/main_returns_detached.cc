// Expect: clean
// main returns while detached threads run, sleep, wait for a condition and block in read: not a
// failure.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::atomic<long> turns;

int main() {
  static auto& mutex = *new std::mutex;  // never destroyed: the thread may use them to the end
  static auto& cv = *new std::condition_variable;
  static int ends[2];
  if (pipe(ends) != 0) return 1;
  std::thread([] {
    for (;;) {
      ++turns;
      std::this_thread::yield();
    }
  }).detach();
  std::thread([] {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }).detach();
  std::thread([] {
    std::unique_lock lock(mutex);
    for (;;) cv.wait(lock);
  }).detach();
  std::thread([] {
    char byte;
    if (read(ends[0], &byte, 1) == 1) _exit(1);
  }).detach();
  while (turns < 2) std::this_thread::yield();
}
