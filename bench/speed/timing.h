// Clocks and output shared by the speed programs.
#pragma once

#include <sys/resource.h>
#include <time.h>
#include <x86intrin.h>

#include <cstdint>
#include <cstdio>

namespace speed {

// Real time, in ns. Inside a controlled run time is virtual: call it outside only.
inline double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// The processor's own counter, which nobody virtualises: for use inside a controlled run.
inline std::uint64_t ticks() { return __rdtsc(); }

// Processor time of this process and of those it waited for, in ns: not disturbed by what else the
// machine does.
inline double processor_time() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage;
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      sum += static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_usec) * 1e3;
    }
  }
  return sum;
}

// A stretch of time by all three clocks, from its construction to stop().
struct Stretch {
  double time = now();
  double processor = processor_time();
  std::uint64_t counted = ticks();

  void stop() {
    counted = ticks() - counted;
    processor = processor_time() - processor;
    time = now() - time;
  }
};

// One sample for bench/measure/speed.py, in ns for each operation: real time, processor time, and
// what a run measured inside itself (0: nothing).
inline void print(const Stretch& stretch, double operations, double inside = 0) {
  std::printf("%.3f %.3f %.3f\n", stretch.time / operations, stretch.processor / operations,
              inside);
}

}  // namespace speed
