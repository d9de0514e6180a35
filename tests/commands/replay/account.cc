// Two threads read and write a balance in two critical sections instead of one.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  int balance = 0;
  std::mutex mutex;
  int get() {
    std::lock_guard guard(mutex);
    return balance;
  }
  void set(int value) {
    std::lock_guard guard(mutex);
    balance = value;
  }
};

Account account;

void deposit() {
  // FIX: here
  account.set(account.get() + 1);
}

int main() {
  // EDIT: here
  std::thread one(deposit), two(deposit);
  one.join();
  two.join();
  assert(account.get() == 2);
}
