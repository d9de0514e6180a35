// Expect: assert
// A static destructor runs while a detached thread still works.
#include <atomic>
#include <cassert>
#include <thread>

struct Jobs {
  std::atomic<int> running = 0;
  ~Jobs() { assert(running == 0); }
} jobs;

int main() {
  ++jobs.running;
  std::thread([] { --jobs.running; }).detach();
}
