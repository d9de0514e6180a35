// Money goes from one account to the other, and an auditor looks on.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex savings_lock, checking_lock;
int savings = 100, checking = 0;
int transfers = 0;

void Transfer() {
  std::lock_guard from(savings_lock);
  savings -= 10;
  std::lock_guard to(checking_lock);
  checking += 10;
  ++transfers;
}

void Audit() {
  const int before = transfers;
  std::lock_guard first(checking_lock);
  std::lock_guard second(savings_lock);
  std::printf("%d after %d transfers\n", savings + checking, before);
}

int main() {
  std::thread clerk(Transfer), auditor(Audit);
  clerk.join();
  auditor.join();
}
