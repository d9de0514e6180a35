// Expect: clean
// Flags: -fopenmp
// Regions of several threads of the program at the same time, and tasks that are ended from
// outside.
#include <omp.h>

#include <cassert>
#include <thread>

int Count() {
  int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic)
  for (int i = 0; i < 4; ++i) sum += i;
  return sum;
}

int main() {
  int other = 0;
  std::thread thread([&] { other = Count(); });
  const int own = Count();
  thread.join();
  assert(own == 6 && other == 6);
  int ready = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(ready)
    {
#pragma omp atomic write
      ready = 1;
    }
#pragma omp task firstprivate(event)
    omp_fulfill_event(event);
#pragma omp taskwait
    assert(ready == 1);
  }
}
