// Expect: clean
// Many readers and no writer.
#include <cassert>
#include <thread>

int table[16];

int main() {
  for (int i = 0; i < 16; ++i) table[i] = i;
  auto body = [] {
    int sum = 0;
    for (int value : table) sum += value;
    assert(sum == 120);
  };
  std::thread first(body), second(body), third(body);
  body();
  first.join();
  second.join();
  third.join();
}
