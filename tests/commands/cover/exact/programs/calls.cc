// Functions that call themselves, that end by an exception or a jump, and threads that end in the
// middle.
#include <pthread.h>
#include <setjmp.h>

#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> total{0};
int plain = 0;

__attribute__((noinline)) int recurse(int levels) {
  total += levels;
  const int result = levels == 0 ? plain : recurse(levels - 1) + 1;
  plain = result;
  return result;
}

__attribute__((noinline)) void thrower(int levels) {
  if (levels == 0) throw std::runtime_error("deep");
  ++total;
  thrower(levels - 1);
  plain = levels;
}
__attribute__((noinline)) void catcher() {
  try {
    thrower(2);
  } catch (const std::exception&) {
    ++plain;
  }
  recurse(1);
}

__attribute__((noinline)) void jumper(jmp_buf* where, int levels) {
  ++total;
  if (levels == 0) longjmp(*where, 1);
  jumper(where, levels - 1);
}
__attribute__((noinline)) void jumps() {
  jmp_buf where;
  if (setjmp(where) == 0) jumper(&where, 2);
  ++total;
}

__attribute__((noinline)) void leaver(int levels) {
  ++total;
  if (levels == 0) pthread_exit(nullptr);
  leaver(levels - 1);
}
void* leave(void*) {
  leaver(2);
  return nullptr;
}

int main() {
  pthread_t odd;
  pthread_create(&odd, nullptr, leave, nullptr);
  std::thread a(recurse, 3), b(catcher), c(jumps);
  a.join();
  b.join();
  c.join();
  pthread_join(odd, nullptr);
  std::thread late(recurse, 1);
  late.join();
}
