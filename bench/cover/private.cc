// Accesses to memory that only one thread has: how many a second, and the processor time for them.
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

void work(long rounds, double* rate) {
  std::vector<long> data(4096);
  volatile long* values = data.data();
  timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  for (long round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < data.size(); ++i) values[i] = values[i] + round;
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  const double seconds = static_cast<double>(end.tv_sec - begin.tv_sec) +
                         1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
  *rate = 2.0 * static_cast<double>(rounds) * static_cast<double>(data.size()) / seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? std::atol(argv[1]) : 20'000;
  double rates[2];
  std::thread first(work, rounds, &rates[0]), second(work, rounds, &rates[1]);
  first.join();
  second.join();
  std::printf("%.0f\n", rates[0] < rates[1] ? rates[0] : rates[1]);
}
