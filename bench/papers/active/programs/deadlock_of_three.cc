// kind: deadlock
#include <mutex>
#include <thread>
#include <utility>

#include "../work.h"

namespace {
std::mutex locks[3];

void Use(int a, int b) {
  if (kCorrect && a > b) std::swap(a, b);
  Work();
  std::lock_guard first(locks[a]);
  std::lock_guard second(locks[b]);
}
}  // namespace

int main() {
  std::thread x(Use, 0, 1), y(Use, 1, 2), z(Use, 2, 0);
  x.join();
  y.join();
  z.join();
}
