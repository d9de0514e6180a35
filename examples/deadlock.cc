// Two transfers in opposite directions: each holds one account's lock and waits for the other's.
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void Transfer(Account& from, Account& to, int amount) {
  std::lock_guard lock_from(from.mutex);
  std::lock_guard lock_to(to.mutex);  // std::scoped_lock(from.mutex, to.mutex) would be right
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account a, b;
  std::thread there([&] { Transfer(a, b, 10); });
  std::thread back([&] { Transfer(b, a, 20); });
  there.join();
  back.join();
}
