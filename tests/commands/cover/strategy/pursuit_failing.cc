// Some of the schedules that cover a pair make the assertion fail.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 10;

  int get() {
    std::lock_guard<std::mutex> lock(mutex);
    return balance;
  }
  void set(int value) {
    std::lock_guard<std::mutex> lock(mutex);
    balance = value;
  }
  void withdraw(int amount) {
    const int now = get();
    if (now >= amount) set(now - amount);
  }
};

int main() {
  Account account;
  std::thread other([&] { account.withdraw(4); });
  account.withdraw(3);
  other.join();
  assert(account.get() == 3);
}
