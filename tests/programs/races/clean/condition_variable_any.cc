// Expect: clean
// condition_variable_any on a shared_mutex: two consumers wait as readers.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any changed;
bool ready;
int data;

int main() {
  auto consume = [] {
    std::shared_lock lock(mutex);
    changed.wait(lock, [] { return ready; });
    assert(data == 42);
  };
  std::thread first(consume), second(consume);
  {
    std::unique_lock lock(mutex);
    data = 42;
    ready = true;
  }
  changed.notify_all();
  first.join();
  second.join();
}
