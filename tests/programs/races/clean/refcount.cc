// Expect: clean
// A reference count with acquire and release: the last owner deletes.
#include <atomic>
#include <cassert>
#include <thread>

struct Shared {
  std::atomic<int> owners{2};
  int uses[2] = {};
};

int main() {
  Shared* shared = new Shared;
  auto body = [shared](int self) {
    shared->uses[self] = 1;
    if (shared->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      assert(shared->uses[0] + shared->uses[1] == 2);
      delete shared;
    }
  };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
}
