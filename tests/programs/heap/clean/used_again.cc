// Expect: clean
// Run: --races=report
// Memory goes from block to block and from thread to thread, with locks in between, in all sizes.
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<std::unique_ptr<char[]>> shared;

void Work(std::size_t begin) {
  for (std::size_t i = 0; i < 400; ++i) {
    const std::size_t size = 1 + (begin + i * 37) % 700 + (i % 50 == 0 ? 6000 : 0);
    auto block = std::make_unique<char[]>(size);
    std::memset(block.get(), 'a', size);
    block[size - 1] = 0;
    std::lock_guard lock(mutex);
    if (shared.size() > 20) {
      shared.front()[0] = 'b';
      shared.erase(shared.begin());
    }
    shared.push_back(std::move(block));
  }
}

int main() {
  std::thread one(Work, 1), other(Work, 300);
  one.join();
  other.join();
}
