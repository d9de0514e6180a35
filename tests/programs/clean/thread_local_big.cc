// Expect: clean
// More than a mebibyte of thread-local data: each thread, one after the other, finds it zero.
#include <cassert>
#include <thread>

struct Scratch {
  int used;
  char buffer[2 << 20];
};
thread_local Scratch scratch;

int main() {
  auto body = [] {
    assert(scratch.used == 0);
    scratch.used = 1;
  };
  std::thread(body).join();
  std::thread(body).join();
}
