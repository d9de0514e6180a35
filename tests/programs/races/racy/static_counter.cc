// Expect: race
// A class counts its instances in a plain static member.
#include <thread>

struct Widget {
  static inline int made = 0;
  Widget() { ++made; }  // race
};

int main() {
  auto body = [] { Widget widget; };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
