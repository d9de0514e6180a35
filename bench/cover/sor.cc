// Successive over-relaxation of a square grid, red and black points in turn; each thread has a band
// of rows and reads the neighbours' edges, with barriers between the half steps.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr int kThreads = 2;
constexpr double kOmega = 1.25;

struct Grid {
  int size;
  double** rows;
};

void relax(const Grid& grid, int first, int last, int colour) {
  const int size = grid.size;
  for (int row = first; row < last; ++row) {
    double* const here = grid.rows[row];
    const double* const above = grid.rows[row - 1];
    const double* const below = grid.rows[row + 1];
    for (int column = 1 + (row + colour) % 2; column < size - 1; column += 2) {
      here[column] =
          kOmega / 4 * (above[column] + below[column] + here[column - 1] + here[column + 1]) +
          (1 - kOmega) * here[column];
    }
  }
}

void work(const Grid& grid, pthread_barrier_t& barrier, int self, int rounds) {
  const int rows = grid.size - 2;
  const int first = 1 + rows * self / kThreads, last = 1 + rows * (self + 1) / kThreads;
  for (int round = 0; round < rounds; ++round) {
    for (int colour = 0; colour < 2; ++colour) {
      relax(grid, first, last, colour);
      pthread_barrier_wait(&barrier);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 60;
  const int size = argc > 2 ? std::atoi(argv[2]) : 750;
  const auto values = std::make_unique<double[]>(static_cast<std::size_t>(size) * size);
  const auto rows = std::make_unique<double*[]>(size);
  const Grid grid{size, rows.get()};
  unsigned random = 1;
  for (int row = 0; row < size; ++row) {
    rows[row] = values.get() + static_cast<std::size_t>(row) * size;
    for (int column = 0; column < size; ++column)
      rows[row][column] = (random = random * 1103515245 + 12345) % 1000 * 1e-3;
  }
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back(work, std::cref(grid), std::ref(barrier), i, rounds);
  for (std::thread& thread : threads) thread.join();
  double sum = 0;
  for (int i = 0; i < size * size; ++i) sum += values[i];
  std::printf("%.9f\n", sum);
}
