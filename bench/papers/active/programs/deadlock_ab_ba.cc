// kind: deadlock
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex accounts, audit;
int entries = 0;
}  // namespace

int main() {
  std::thread teller([] {
    Work();
    std::lock_guard first(accounts);
    std::lock_guard second(audit);
    ++entries;
  });
  std::thread auditor([] {
    Work();
    std::lock_guard first(kCorrect ? accounts : audit);
    std::lock_guard second(kCorrect ? audit : accounts);
    ++entries;
  });
  teller.join();
  auditor.join();
}
