// plugin: yes
// confirmed: deadlock loaded_later.cc:30
// Both locks are taken in a library that the program loads by itself.
#include <dlfcn.h>

#include <atomic>
#include <mutex>
#include <thread>

#ifdef PLUGIN

namespace {
std::atomic<int> noise;
std::mutex one, other;

// Else it would happen by chance.
void Work() {
  for (int i = 0; i < 40; ++i) noise.fetch_add(1);
}
}  // namespace

extern "C" void Forth() {
  Work();
  std::lock_guard first(one);
  std::lock_guard second(other);
}

extern "C" void Back() {
  std::lock_guard first(other);
  std::lock_guard second(one);
}

#else

int main() {
  void* library = dlopen("./plugin.so", RTLD_NOW);
  if (!library) return 2;
  auto* forth = reinterpret_cast<void (*)()>(dlsym(library, "Forth"));
  auto* back = reinterpret_cast<void (*)()>(dlsym(library, "Back"));
  std::thread thread(forth);
  back();
  thread.join();
}

#endif
