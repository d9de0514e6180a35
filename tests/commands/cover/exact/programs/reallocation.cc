// Memory that is freed, grown and reused by other threads: what is accessed there later is another
// variable.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> numbers;
int* shared = nullptr;
std::size_t size = 0;

void grow(int who) {
  for (int i = 0; i < 3; ++i) {
    std::lock_guard<std::mutex> guard(mutex);
    numbers.push_back(who);
    shared = static_cast<int*>(std::realloc(shared, (size + 1) * sizeof(int)));
    shared[size] = size == 0 ? who : shared[size - 1] + 1;
    ++size;
  }
}

void churn(int who) {
  int* last = nullptr;
  for (int i = 0; i < 4; ++i) {
    int* mine = static_cast<int*>(std::malloc(8 + 8 * static_cast<std::size_t>(i % 2)));
    mine[0] = who;
    mine[1] = mine[0] + i;
    std::free(last);
    last = mine;
  }
  {
    std::lock_guard<std::mutex> guard(mutex);
    if (!numbers.empty()) last[0] = numbers.back();
    if (numbers.size() > 4) std::vector<int>().swap(numbers);
  }
  std::free(last);
}

int main() {
  std::thread a(grow, 1), b(grow, 10), c(churn, 100), d(churn, 1000);
  a.join();
  b.join();
  c.join();
  d.join();
  std::free(shared);
}
