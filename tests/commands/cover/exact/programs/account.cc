// The paper's account: each method reads the balance and writes it back, under the account's lock.
#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    const int now = balance_;
    balance_ = now + amount;
  }
  bool withdraw(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    const int now = balance_;
    if (now < amount) return false;
    balance_ = now - amount;
    return true;
  }
  int balance() const { return balance_; }

 private:
  std::mutex mutex_;
  int balance_ = 10;
};

int main() {
  Account* accounts = new Account[2];
  std::thread giver([&] {
    for (int i = 0; i < 3; ++i) accounts[i % 2].deposit(5);
  });
  std::thread taker([&] {
    for (int i = 0; i < 3; ++i) accounts[i % 2].withdraw(8);
  });
  std::thread mover([&] {
    if (accounts[0].withdraw(1)) accounts[1].deposit(1);
  });
  giver.join();
  taker.join();
  mover.join();
  const int sum = accounts[0].balance() + accounts[1].balance();
  delete[] accounts;
  return sum < 0;
}
