// Expect: clean
// A function-local static with a constructor, used by several threads at once.
#include <cassert>
#include <thread>

struct Table {
  int squares[4];
  explicit Table(int scale) {
    for (int i = 0; i < 4; ++i) squares[i] = i * i * scale;
  }
};

const Table& table(int scale) {
  static const Table instance(scale);
  return instance;
}

int main() {
  auto body = [] { assert(table(2).squares[3] == 18); };
  std::thread first(body), second(body), third(body);
  first.join();
  second.join();
  third.join();
}
