// So many accesses to memory by two threads, which is correct: for what watching a run costs.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {
constexpr long kValues = 1024;   // of each thread
constexpr long kAtOnce = 2'000;  // between two looks at what both have
std::vector<int> values(2 * kValues);
std::mutex lock;
long total = 0;

void Work(long first, long accesses) {
  int* own = values.data() + first;
  for (long done = 0; done < accesses; done += 2 * kAtOnce) {
    for (long i = 0; i < kAtOnce; ++i) own[(done + 7 * i) % kValues] += 1;
    std::lock_guard guard(lock);
    total += kAtOnce;
  }
}
}  // namespace

int main(int argc, char** argv) {
  const long accesses = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  std::thread one(Work, 0, accesses / 2), other(Work, kValues, accesses / 2);
  one.join();
  other.join();
  std::printf("%ld\n", total);
}
