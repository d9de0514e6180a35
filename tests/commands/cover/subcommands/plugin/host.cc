// Loads a library twice: what was in it the first time is not what is in it the second time.
#include <dlfcn.h>

#include <cstdio>
#include <thread>

int main(int, char** arguments) {
  for (int round = 0; round < 2; ++round) {
    void* library = dlopen(arguments[1], RTLD_NOW);
    if (!library) {
      std::puts(dlerror());
      return 1;
    }
    auto* set = reinterpret_cast<void (*)(int)>(dlsym(library, "set"));
    auto* get = reinterpret_cast<int (*)()>(dlsym(library, "get"));
    std::thread([=] { set(1); }).join();
    if (get() != 1) return 1;
    dlclose(library);
  }
}
