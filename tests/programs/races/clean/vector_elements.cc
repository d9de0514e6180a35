// Expect: clean
// Different elements of a vector<char> are different memory locations.
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::vector<char> done(8);
  auto body = [&](int self) { done[self] = 1; };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
  assert(done[0] + done[1] == 2);
}
