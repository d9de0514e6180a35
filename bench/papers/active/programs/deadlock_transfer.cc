// kind: deadlock
// The same two lines lock both objects: the order depends on the arguments.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
struct Account {
  std::mutex lock;
  int money = 100;
};
Account alice, bob;

void Transfer(Account& from, Account& to) {
  Work();
  if (kCorrect) {
    std::scoped_lock both(from.lock, to.lock);
    --from.money, ++to.money;
  } else {
    std::lock_guard source(from.lock);
    std::lock_guard target(to.lock);
    --from.money, ++to.money;
  }
}
}  // namespace

int main() {
  std::thread first([] { Transfer(alice, bob); });
  std::thread second([] { Transfer(bob, alice); });
  first.join();
  second.join();
}
