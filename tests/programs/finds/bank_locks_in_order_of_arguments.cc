// Expect: deadlock
// clean/scoped_lock_bank.cc with one lock after the other in place of scoped_lock: three transfers
// wait for each other.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};
Account accounts[3];

void Transfer(int from, int to, int amount) {
  std::lock_guard first(accounts[from].mutex);
  std::lock_guard second(accounts[to].mutex);
  accounts[from].balance -= amount;
  accounts[to].balance += amount;
}

int main() {
  std::thread a(Transfer, 0, 1, 10), b(Transfer, 1, 2, 20), c(Transfer, 2, 0, 30);
  {
    std::scoped_lock lock(accounts[2].mutex, accounts[0].mutex, accounts[1].mutex);
    assert(accounts[0].balance + accounts[1].balance + accounts[2].balance == 300);
  }
  a.join();
  b.join();
  c.join();
  assert(accounts[0].balance == 120 && accounts[1].balance == 90 && accounts[2].balance == 90);
}
