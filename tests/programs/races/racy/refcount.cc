// Expect: race
// A reference count that is decremented relaxed: the last owner does not know what the others did.
#include <atomic>
#include <thread>

struct Shared {
  std::atomic<int> owners{2};
  int uses[2] = {};
  int total = 0;
};

int main() {
  Shared shared;
  auto body = [&](int self) {
    shared.uses[self] = 1;  // race
    if (shared.owners.fetch_sub(1, std::memory_order_relaxed) == 1)
      shared.total = shared.uses[0] + shared.uses[1];  // race
  };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
}
