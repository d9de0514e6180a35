// Expect: clean
// Flags: -fopenmp
// Stages divided by barriers: each thread reads what its neighbour wrote in the stage before.
#include <omp.h>

#include <cassert>

constexpr int kThreads = 3;

int main() {
  int cells[2][kThreads] = {{1, 2, 3}, {}};
#pragma omp parallel num_threads(kThreads)
  {
    const int me = omp_get_thread_num();
    for (int stage = 0; stage < 4; ++stage) {
      cells[1 - stage % 2][me] = cells[stage % 2][(me + 1) % kThreads];
#pragma omp barrier
    }
  }
  assert(cells[0][0] == 2 && cells[0][1] == 3 && cells[0][2] == 1);
}
