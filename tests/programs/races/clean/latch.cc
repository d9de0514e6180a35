// Expect: clean
// Results of two workers, behind a latch.
#include <cassert>
#include <latch>
#include <thread>

std::latch done(2);
int results[2];

int main() {
  auto body = [](int self) {
    results[self] = 21;
    done.count_down();
  };
  std::thread first(body, 0), second(body, 1);
  done.wait();
  assert(results[0] + results[1] == 42);
  first.join();
  second.join();
}
