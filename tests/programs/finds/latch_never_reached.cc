// Expect: deadlock
// Two workers share a ticket counter without atomicity: both take ticket 0, so neither counts down.
#include <atomic>
#include <latch>
#include <thread>

std::latch latch(2);
std::atomic<int> tickets;

int main() {
  auto worker = [] {
    int ticket = tickets;
    tickets = ticket + 1;
    if (ticket == 1) latch.count_down(2);
  };
  std::thread a(worker), b(worker);
  latch.wait();
  a.join();
  b.join();
}
