// Expect: clean
// Warns: lock-order
// Both orders by threads that run at the same time. A flag keeps them apart, which someone may
// take away: worth a warning, and no failure.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex accounts, log_file;
std::atomic<bool> logged;

int main() {
  std::thread worker([] {
    {
      std::lock_guard a(accounts);
      std::lock_guard b(log_file);
    }
    logged = true;
  });
  while (!logged) {
  }
  {
    std::lock_guard b(log_file);
    std::lock_guard a(accounts);
  }
  worker.join();
}
