// Successive over-relaxation on a grid of 50 x 50 points by THREADS threads, red and black rows in
// turn, as in the Java Grande benchmark: a thread begins a sweep when its neighbours have finished
// the one before, which it sees by their counters. In the end the grid must be what one thread
// alone computes.
#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "../../programs/check.h"

#ifndef THREADS
#define THREADS 4
#endif

namespace {

constexpr int kSize = 50;
constexpr int kSweeps = 8;
constexpr double kOmega = 1.25;

struct Grid {
  double points[kSize][kSize];
};

Grid grid;
std::atomic<int> finished_sweeps[THREADS];

void Fill(Grid& g) {
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column)
      g.points[row][column] = ((row * 31 + column * 17) % 101) * 1e-6;
}

void RelaxRow(Grid& g, int row) {
  for (int column = 1; column < kSize - 1; ++column) {
    const double around = g.points[row - 1][column] + g.points[row + 1][column] +
                          g.points[row][column - 1] + g.points[row][column + 1];
    g.points[row][column] = kOmega * 0.25 * around + (1 - kOmega) * g.points[row][column];
  }
}

void WaitFor(int thread, int sweep) {
  if (thread < 0 || thread >= THREADS) return;
  while (finished_sweeps[thread].load() < sweep) std::this_thread::yield();
}

void Sweep(int first, int last, int sweep) {
  for (int row = first; row < last; ++row)
    if (row % 2 == sweep % 2) RelaxRow(grid, row);
}

void RunThread(int thread) {
  const int rows = (kSize - 2 + THREADS - 1) / THREADS;
  const int first = 1 + thread * rows;
  const int last = std::min(first + rows, kSize - 1);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    WaitFor(thread - 1, sweep);
    WaitFor(thread + 1, sweep);
    Sweep(first, last, sweep);
    finished_sweeps[thread].store(sweep + 1);
  }
}

[[gnu::noinline]] void CheckGrid() {
  static Grid expected;
  Fill(expected);
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int row = 1; row < kSize - 1; ++row)
      if (row % 2 == sweep % 2) RelaxRow(expected, row);
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column)
      CHECK(std::abs(grid.points[row][column] - expected.points[row][column]) < 1e-12);
}

}  // namespace

int main() {
  Fill(grid);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < THREADS; ++thread) threads.emplace_back(RunThread, thread);
  for (std::thread& thread : threads) thread.join();
  CheckGrid();
}
