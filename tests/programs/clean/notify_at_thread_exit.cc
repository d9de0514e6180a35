// Expect: clean
// notify_all_at_thread_exit and the at_thread_exit forms of promise and packaged_task: after the
// thread_locals died.
#include <cassert>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable cv;
bool ready, local_gone;

struct Local {
  bool used = false;
  ~Local() { local_gone = true; }
};
thread_local Local local;

int main() {
  std::thread([] {
    local.used = true;
    std::unique_lock lock(mutex);
    ready = true;
    std::notify_all_at_thread_exit(cv, std::move(lock));
  }).detach();
  {
    std::unique_lock lock(mutex);
    cv.wait(lock, [] { return ready; });
    assert(local_gone);
    local_gone = false;
  }

  static std::promise<int> promise;
  std::thread setter([] {
    local.used = true;
    promise.set_value_at_thread_exit(1);
  });
  assert(promise.get_future().get() == 1 && local_gone);
  setter.join();

  std::packaged_task<int()> task([] { return 2; });
  auto result = task.get_future();
  std::thread runner([&] { task.make_ready_at_thread_exit(); });
  assert(result.get() == 2);
  runner.join();
}
