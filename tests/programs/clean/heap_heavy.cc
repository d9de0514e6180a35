// Expect: clean
// Run: --runs 20
// Many more blocks, and more memory, than are kept aside after they are freed.
#include <cassert>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::mutex mutex;
std::map<int, std::string> names;
std::list<std::shared_ptr<std::vector<int>>> lists;

void work(int start) {
  for (int i = start; i < start + 1500; ++i) {
    auto values = std::make_shared<std::vector<int>>(static_cast<std::size_t>(i % 30), i);
    const std::lock_guard lock(mutex);
    names[i % 50] = std::string(static_cast<std::size_t>(i % 90), 'x');
    lists.push_back(values);
    if (lists.size() > 20) lists.pop_front();
  }
}

int main() {
  std::thread a(work, 0), b(work, 100000);
  a.join();
  b.join();
  for (const auto& [key, name] : names) assert(name.size() < 90 && key < 50);
  for (const auto& list : lists)
    for (const int value : *list) assert(value >= 0);
  struct alignas(128) Wide {
    char bytes[200];
  };
  auto wide = std::make_unique<Wide[]>(3);
  wide[2].bytes[199] = 1;
}
