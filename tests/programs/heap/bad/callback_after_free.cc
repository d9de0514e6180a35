// Expect: heap
// A detached-like worker holds a reference to a context that its maker frees too early.
#include <condition_variable>
#include <mutex>
#include <thread>

struct Context {
  std::mutex mutex;
  std::condition_variable done;
  bool is_done = false;
  volatile int result = 0;
};

int main() {
  auto* context = new Context;
  std::thread worker([=] {
    {
      std::lock_guard lock(context->mutex);
      context->is_done = true;
      context->done.notify_one();
    }
    context->result = 1;  // heap
  });
  {
    std::unique_lock lock(context->mutex);
    context->done.wait(lock, [=] { return context->is_done; });
  }
  delete context;
  worker.join();
}
