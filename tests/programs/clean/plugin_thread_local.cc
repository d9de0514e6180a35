// Expect: clean
// Library: ./plugin.so
// Flags: -ldl
// Thread-local variables of a library that was loaded by dlopen: each thread has its own, and finds
// the initial value, also a thread that starts after another one has ended.
#ifdef LIBRARY
static thread_local int calls = 40;
static thread_local char buffer[1000];
extern "C" int Call() {
  ++buffer[0];
  return ++calls == 40 + buffer[0] ? calls : -1;
}
#else
#include <dlfcn.h>

#include <cassert>
#include <thread>

int main() {
  void* plugin = dlopen("./plugin.so", RTLD_NOW);
  assert(plugin != nullptr);
  auto call = reinterpret_cast<int (*)()>(dlsym(plugin, "Call"));
  auto body = [call] {
    for (int i = 1; i <= 2; ++i) assert(call() == 40 + i);
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  std::thread(body).join();
}
#endif
