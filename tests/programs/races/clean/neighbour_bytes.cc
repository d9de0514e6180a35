// Expect: clean
// Different bytes of one word belong to different threads.
#include <cassert>
#include <thread>

alignas(8) unsigned char bytes[8];

int main() {
  auto body = [](int self) {
    for (int i = self; i < 8; i += 2) bytes[i] = static_cast<unsigned char>(self + 1);
  };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
  assert(bytes[0] == 1 && bytes[7] == 2);
}
