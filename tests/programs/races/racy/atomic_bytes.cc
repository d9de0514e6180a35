// Expect: race
// A byte of an atomic is written as what it is in memory, while another thread uses the atomic.
#include <atomic>
#include <thread>

std::atomic<int> number;

int main() {
  std::thread user([] { number.fetch_add(1); });     // race
  reinterpret_cast<unsigned char*>(&number)[1] = 7;  // race
  user.join();
}
