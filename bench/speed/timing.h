// Clocks and output shared by the speed programs.
#pragma once

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

// ns for each of these ticks, measured over a stretch that the caller timed both ways.
struct Stretch {
  double start = now();
  std::uint64_t start_ticks = ticks();
  double end = 0;
  std::uint64_t end_ticks = 0;

  double stop() {
    end = now();
    end_ticks = ticks();
    return end - start;
  }
  double ns_per_tick() const { return (end - start) / static_cast<double>(end_ticks - start_ticks); }
};

// One sample for bench/measure/speed.py: ns for each operation, from outside and, where it was measured, from inside.
inline void print(double outside, double inside = 0) { std::printf("%.3f %.3f\n", outside, inside); }

}  // namespace speed
