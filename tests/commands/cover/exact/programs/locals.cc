// Variables of functions that lie where those of others lay, which have ended: by returning, by an
// exception, by a jump, at any depth, and with a size that only the run knows.
#include <alloca.h>
#include <setjmp.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace {

__attribute__((noinline)) void share(int* variable, int value) {
  std::thread other([=] { *variable = value; });
  other.join();
}

__attribute__((noinline)) void apples() {
  int apple = 0;
  share(&apple, 5);
}
__attribute__((noinline)) void pears() {
  int pear = 0;
  int more[4] = {1, 2, 3, 4};
  std::thread other([&] { pear = more[2]; });
  other.join();
}
__attribute__((noinline)) void deep(int depth) {
  int plum[8] = {depth};
  share(&plum[depth % 8], depth);
  if (depth > 0) deep(depth - 1);
  plum[1] = depth;
}
__attribute__((noinline)) void any_size(int count) {
  int* figs = static_cast<int*>(alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i) figs[i] = i;
  share(&figs[count / 2], 1);
}
__attribute__((noinline)) void throws() {
  int lime = 1;
  share(&lime, 2);
  if (lime == 2) throw std::runtime_error("out of here");
}
jmp_buf way_out;
__attribute__((noinline)) void jumps() {
  int kiwi = 1;
  share(&kiwi, 3);
  longjmp(way_out, 1);
}
// Called by a library, which has a frame of its own in between.
int by_size(const void* a, const void* b) {
  int difference = *static_cast<const int*>(a) - *static_cast<const int*>(b);
  share(&difference, difference * 2);
  return difference;
}

}  // namespace

int main() {
  apples();
  pears();
  deep(3);
  any_size(10);
  any_size(50);
  try {
    throws();
  } catch (const std::runtime_error&) {
  }
  pears();
  if (setjmp(way_out) == 0) jumps();
  apples();
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof(int), by_size);
  deep(2);
  return numbers[0] == 1 ? 0 : 1;
}
