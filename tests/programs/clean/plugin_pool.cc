// Expect: clean
// Library: ./plugin.so
// Flags: -ldl
// A library with a thread pool of its own: the host opens it, submits tasks, closes it, which
// drains the queue, and unloads the library.
#ifdef LIBRARY
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable cv;
static std::deque<void (*)(void*)> tasks;
static std::deque<void*> arguments;
static bool closed;
static std::vector<std::thread>* workers;

static void Work() {
  std::unique_lock lock(mutex);
  for (;;) {
    cv.wait(lock, [] { return closed || !tasks.empty(); });
    if (tasks.empty()) return;
    auto task = tasks.front();
    void* argument = arguments.front();
    tasks.pop_front();
    arguments.pop_front();
    lock.unlock();
    task(argument);
    lock.lock();
  }
}

extern "C" void Submit(void (*task)(void*), void* argument) {
  std::lock_guard lock(mutex);
  tasks.push_back(task);
  arguments.push_back(argument);
  cv.notify_one();
}
extern "C" void Open() {
  workers = new std::vector<std::thread>;
  for (int i = 0; i < 2; ++i) workers->emplace_back(Work);
}
extern "C" void Close() {
  {
    std::lock_guard lock(mutex);
    closed = true;
  }
  cv.notify_all();
  for (auto& worker : *workers) worker.join();
  delete workers;
}
#else
#include <dlfcn.h>

#include <atomic>
#include <cassert>

int main() {
  void* plugin = dlopen("./plugin.so", RTLD_NOW);
  assert(plugin != nullptr);
  reinterpret_cast<void (*)()>(dlsym(plugin, "Open"))();
  auto submit = reinterpret_cast<void (*)(void (*)(void*), void*)>(dlsym(plugin, "Submit"));
  std::atomic<int> count = 0;
  for (int i = 0; i < 3; ++i)
    submit([](void* counter) { ++*static_cast<std::atomic<int>*>(counter); }, &count);
  reinterpret_cast<void (*)()>(dlsym(plugin, "Close"))();
  dlclose(plugin);
  assert(count == 3);
}
#endif
