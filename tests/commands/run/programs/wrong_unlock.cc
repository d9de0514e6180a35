// The lock has its name, and who took it has a row.
#include <mutex>
#include <thread>

std::mutex gate;

int main() {
  gate.lock();
  std::thread other([] { gate.unlock(); });
  other.join();
}
