// consistent: yes
// A check that fails on the way to one candidate did not hold for another one.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex one_lock, other_lock;
int balance = 5, total;

void Withdraw() {
  int seen;
  {
    std::lock_guard guard(other_lock);
    seen = balance;
  }
  if (seen < 5) return;
  {
    std::lock_guard guard(one_lock);
    balance -= 5;
  }
  assert(balance >= 0);
}

int main() {
  std::thread deposit([] {
    {
      std::lock_guard guard(one_lock);
      balance += 5;
    }
    total += 5;
  });
  std::thread one(Withdraw), other(Withdraw);
  deposit.join();
  one.join();
  other.join();
}
