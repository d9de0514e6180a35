// Expect: clean
// A class counts its instances in an atomic static member.
#include <atomic>
#include <cassert>
#include <thread>

struct Widget {
  static inline std::atomic<int> made = 0;
  Widget() { ++made; }
};

int main() {
  auto body = [] { Widget widget; };
  std::thread first(body), second(body);
  first.join();
  second.join();
  assert(Widget::made == 2);
}
