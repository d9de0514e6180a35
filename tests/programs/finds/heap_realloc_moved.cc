// Expect: heap
// A pointer into a vector is kept while another thread may make it grow.
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::vector<int> values{1, 2, 3};
  std::mutex mutex;
  std::thread reader([&] {
    int* first;
    {
      std::lock_guard lock(mutex);
      first = &values[0];
    }
    *first += 1;
  });
  std::thread writer([&] {
    std::lock_guard lock(mutex);
    values.push_back(4);
  });
  reader.join();
  writer.join();
}
