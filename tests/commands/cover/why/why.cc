// For why.py: pairs that cannot be covered, for each reason that `snag cover why` knows, and some
// that can. The lines are found by their comments.
#include <mutex>
#include <thread>

int balance = 10;
std::mutex mutex;
int config = 0;
volatile int seen = 0;

void deposit() {
  std::lock_guard<std::mutex> guard(mutex);  // deposit locks
  const int now = balance;                   // deposit reads
  balance = now + 1;                         // deposit writes
}

void withdraw() {
  std::lock_guard<std::mutex> guard(mutex);  // withdraw locks
  const int now = balance;                   // withdraw reads
  balance = now - 1;                         // withdraw writes
}

int main() {
  config = 7;  // main configures
  std::thread a([] {
    seen = config;  // thread reads
    deposit();
  });
  std::thread b([] {
    deposit();
    withdraw();
  });
  a.join();
  b.join();
  config = 8;  // main ends
}
