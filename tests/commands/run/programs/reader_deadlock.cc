// A reader holds what the writer waits for: it is part of the cycle, and there is no other warning.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex table;
std::mutex statistics;

int main() {
  std::thread reader([] {
    std::shared_lock read(table);
    std::lock_guard count(statistics);
  });
  std::thread writer([] {
    std::lock_guard count(statistics);
    std::unique_lock write(table);
  });
  reader.join();
  writer.join();
}
