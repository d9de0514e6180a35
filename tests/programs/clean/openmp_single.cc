// Expect: clean
// Flags: -fopenmp
// single, with and without a barrier, copyprivate, master.
#include <cassert>

int main() {
  int shared = 0, first = 0, total = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    shared = 5;
    int mine = shared;
    int given;
#pragma omp single copyprivate(given)
    given = shared + 1;
    mine += given;
#pragma omp single nowait
    first = 1;
#pragma omp master
    total += 100;
#pragma omp barrier
#pragma omp atomic
    total += mine + first;
  }
  assert(total == 100 + 3 * (5 + 6 + 1));
}
