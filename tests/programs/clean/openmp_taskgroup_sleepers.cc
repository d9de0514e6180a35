// Expect: clean
// Flags: -fopenmp
// A thread that has executed tasks of the group may be asleep in the barrier when the group's end
// is waited for.
int main() {
  int last = -1;
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    {
#pragma omp taskgroup
      {
        for (int i = 0; i < 6; ++i)
#pragma omp task shared(last)
        {
          if (i == 3) {
#pragma omp atomic write
            last = i;
          }
        }
      }
    }
  }
  return last != 3;
}
