// What the other thread saw is half of the bug: it is shown though there is much else.
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> a, b, c, d, e, f, g, h, i;
std::atomic<int> left{1};

void Take() {
  if (left > 0) {
    ++a, ++b, ++c, ++d, ++e, ++f, ++g, ++h, ++i;
    --left;
    if (left < 0) std::abort();
  }
}

int main() {
  std::thread one(Take), two(Take);
  one.join();
  two.join();
}
