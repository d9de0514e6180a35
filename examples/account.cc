// Two deposits, one is lost: both threads may read the balance before either writes it back.
#include <cassert>
#include <thread>

int balance = 0;

int main() {
  auto deposit = [] { balance += 100; };
  std::thread alice(deposit), bob(deposit);
  alice.join();
  bob.join();
  assert(balance == 200);
}
