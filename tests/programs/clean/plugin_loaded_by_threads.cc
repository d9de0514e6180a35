// Expect: clean
// Library: ./plugin.so
// Flags: -ldl
// Two threads load the same library at the same time, use it and unload it; its constructor runs
// before the first use.
#ifdef LIBRARY
#include <atomic>

struct Settings {
  Settings() : limit(7) {}
  int limit;
};
static Settings settings;
static std::atomic<int> calls;
extern "C" int Call() {
  calls.fetch_add(1);
  return settings.limit;
}
#else
#include <dlfcn.h>

#include <cassert>
#include <thread>

int main() {
  auto body = [] {
    for (int i = 0; i < 2; ++i) {
      void* plugin = dlopen("./plugin.so", RTLD_LAZY);
      assert(plugin != nullptr);
      auto call = reinterpret_cast<int (*)()>(dlsym(plugin, "Call"));
      assert(call() == 7);
      dlclose(plugin);
    }
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
}
#endif
