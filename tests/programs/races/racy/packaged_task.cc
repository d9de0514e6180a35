// Expect: race
// The task also writes a member that nobody waits for: valid_until is filled in after the future is
// ready.
#include <future>
#include <thread>

int valid_until;

int main() {
  std::packaged_task<int()> task([] { return 42; });
  std::future<int> result = task.get_future();
  std::thread worker([&] {
    task();
    valid_until = 7;  // race
  });
  result.get();
  volatile int seen = valid_until;  // race
  (void)seen;
  worker.join();
}
