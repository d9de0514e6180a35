// Expect: clean
// Warns: late-wakeup
// The stop flag is set without the mutex: a worker that has just read it does not hear the signal,
// and stops only a minute later, when its wait times out.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable wake;
std::atomic<bool> stop;

int main() {
  std::thread worker([] {
    std::unique_lock lock(mutex);
    while (!stop) wake.wait_for(lock, std::chrono::seconds(60));
  });
  stop = true;
  wake.notify_all();
  worker.join();
}
