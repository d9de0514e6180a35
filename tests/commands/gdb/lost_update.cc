// Two deposits, one is lost; functions and local variables to look at.
#include <cassert>
#include <thread>

int balance = 0;
thread_local int mine = 0;

[[gnu::noinline]] void Deposit(int amount) {
  mine = amount;
  const int before = balance;
  balance = before + amount;
}

[[gnu::noinline]] void Customer(int number) {
  volatile int amount = number * 100;
  Deposit(amount);
}

int main() {
  std::thread alice(Customer, 1);
  std::thread bob(Customer, 2);
  alice.join();
  bob.join();
  assert(balance == 300);
}
