// Expect: signal | heap
// Library: ./plugin.so
// Flags: -ldl
// clean/plugin_threads.cc, where Close detaches the plug-in's thread in place of joining it, and
// the library is unloaded while that thread still runs in it.
#ifdef LIBRARY
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {
struct Service {
  std::mutex mutex;
  std::condition_variable cv;
  int pending = 0, done = 0;
  bool closed = false;
  std::thread thread{[this] {
    std::unique_lock lock(mutex);
    for (;;) {
      cv.wait(lock, [this] { return pending > 0 || closed; });
      if (pending == 0) return;
      --pending;
      ++done;
      cv.notify_all();
    }
  }};
};
Service& Instance() {
  static Service* service = new Service;
  return *service;
}
}  // namespace

extern "C" void Post() {
  Service& service = Instance();
  std::lock_guard lock(service.mutex);
  ++service.pending;
  service.cv.notify_all();
}
extern "C" int Close() {
  Service& service = Instance();
  {
    std::lock_guard lock(service.mutex);
    service.closed = true;
  }
  service.cv.notify_all();
  service.thread.detach();
  return 2;
}
#else
#include <dlfcn.h>

#include <cassert>
#include <thread>

int main() {
  void* plugin = dlopen("./plugin.so", RTLD_NOW);
  assert(plugin != nullptr);
  auto post = reinterpret_cast<void (*)()>(dlsym(plugin, "Post"));
  auto close = reinterpret_cast<int (*)()>(dlsym(plugin, "Close"));
  std::thread a(post), b(post);
  a.join();
  b.join();
  assert(close() == 2);
  dlclose(plugin);
}
#endif
