// Accesses to memory that only one thread has: how many a second.
//
//   private [rounds [bytes of an access: 1, 2, 4 or 8]]
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

template <class T>
void work(long rounds, double* rate) {
  std::vector<T> data(4096);
  volatile T* values = data.data();
  timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  for (long round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < data.size(); ++i) values[i] = static_cast<T>(values[i] + round);
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  const double seconds = static_cast<double>(end.tv_sec - begin.tv_sec) +
                         1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
  *rate = 2.0 * static_cast<double>(rounds) * static_cast<double>(data.size()) / seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? std::atol(argv[1]) : 20'000;
  const int bytes = argc > 2 ? std::atoi(argv[2]) : 8;
  auto* const run = bytes == 1   ? work<char>
                    : bytes == 2 ? work<short>
                    : bytes == 4 ? work<int>
                                 : work<long>;
  double rates[2];
  std::thread first(run, rounds, &rates[0]), second(run, rounds, &rates[1]);
  first.join();
  second.join();
  std::printf("%.0f\n", rates[0] < rates[1] ? rates[0] : rates[1]);
}
