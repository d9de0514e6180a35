// Expect: assert
// Both threads load the same balance before either stores: one deposit is lost.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> balance;

int main() {
  auto deposit = [] { balance = balance + 1; };
  std::thread a(deposit), b(deposit);
  a.join();
  b.join();
  assert(balance == 2);
}
