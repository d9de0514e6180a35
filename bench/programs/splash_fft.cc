// splash_fft: each thread transforms its row of the matrix, then reads its column to transpose it;
// the barrier between the two steps is missing.
// Fails: a thread reads its column before another has transformed its row.
// Correct: with the barrier.
#include <barrier>
#include <thread>
#include <vector>

#include "check.h"

namespace {

constexpr int kThreads = 2;

volatile int matrix[kThreads][kThreads];
std::barrier rows_done(kThreads);

int Transformed(int row, int column) { return 10 * (row + 1) + column; }

void Transform(int self) {
  for (int column = 0; column < kThreads; ++column) {
    matrix[self][column] = Transformed(self, column);
  }
  if (kCorrect) rows_done.arrive_and_wait();
  for (int row = 0; row < kThreads; ++row) {
    CHECK(matrix[row][self] == Transformed(row, self));
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(Transform, i);
  for (std::thread& thread : threads) thread.join();
}
