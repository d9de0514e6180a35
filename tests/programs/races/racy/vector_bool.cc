// Expect: race
// Different elements of a vector<bool> lie in one word.
#include <thread>
#include <vector>

int main() {
  std::vector<bool> done(8);
  auto body = [&](int self) { done[self] = true; };  // race
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
}
