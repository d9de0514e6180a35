// Expect: abort | exception
// main returns early, with the thread object still joinable: std::terminate.
#include <atomic>
#include <thread>

std::atomic<bool> done;

int main() {
  std::thread worker([] { done = true; });
  if (done) return 0;
  worker.join();
}
