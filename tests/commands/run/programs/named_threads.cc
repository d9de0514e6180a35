// Threads keep their names when they have ended, also if the run ends without a word about them.
#include <pthread.h>

#include <atomic>
#include <thread>

std::atomic<int> balance{0};

void Deposit(const char* name, int amount) {
  pthread_setname_np(pthread_self(), name);
  const int before = balance;
  balance = before + amount;
}

int main() {
  std::thread a(Deposit, "teller-a", 100), b(Deposit, "teller-b", 200);
  a.join();
  b.join();
  return balance == 300 ? 0 : 3;
}
