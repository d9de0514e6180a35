// Expect: clean
// std::pmr: a monotonic buffer for each thread on top of one synchronized pool, released and used
// again; the containers inside are gone before it.
#include <cassert>
#include <map>
#include <memory_resource>
#include <string>
#include <thread>
#include <vector>

int main() {
  std::pmr::synchronized_pool_resource pool;
  auto body = [&](int first) {
    char buffer[128];
    std::pmr::monotonic_buffer_resource monotonic(buffer, sizeof buffer, &pool);
    for (int round = 0; round < 2; ++round) {
      {
        std::pmr::vector<std::pmr::string> names(&monotonic);
        std::pmr::map<int, int> squares(&monotonic);
        for (int i = first; i < first + 3; ++i) {
          names.emplace_back("a name that is too long for the string itself");
          squares[i] = i * i;
        }
        assert(names.back().size() == 45 && squares.at(first + 2) == (first + 2) * (first + 2));
      }
      monotonic.release();
    }
  };
  std::thread a(body, 0), b(body, 10);
  a.join();
  b.join();
}
