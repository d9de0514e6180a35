// wronglock: one thread updates data under lock A, WORKERS others update it under lock B.
// Fails: a worker increments data after the checking thread has read it and before that thread
// checks its own increment.
// Correct: everybody uses lock A.
#include <mutex>
#include <thread>
#include <vector>

#include "check.h"

#ifndef WORKERS
#define WORKERS 1
#endif

namespace {

std::mutex lock_a;
std::mutex lock_b;
volatile int data = 0;

void CheckedIncrement() {
  std::lock_guard guard(lock_a);
  int before = data;
  data = data + 1;
  CHECK(data == before + 1);
}

void Increment() {
  std::lock_guard guard(kCorrect ? lock_a : lock_b);
  data = data + 1;
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(CheckedIncrement);
  for (int i = 0; i < WORKERS; ++i) threads.emplace_back(Increment);
  for (std::thread& thread : threads) thread.join();
}
