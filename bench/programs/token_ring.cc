// token_ring: three stations pass one token round; a monitor counts the tokens. All under a lock:
// no data race at all.
// Fails: a station gives its token up in one critical section and is preempted before it hands it
// on in the next; the monitor counts none.
// Correct: give up and hand on in one critical section.
#include <mutex>
#include <thread>
#include <vector>

#include "check.h"

namespace {

constexpr int kStations = 3;
constexpr int kRounds = 2;

std::mutex mutex;
int tokens[kStations] = {1};  // 1 at the station that has the token

void Station(int self) {
  for (int round = 0; round < kRounds; ++round) {
    std::unique_lock guard(mutex);
    if (tokens[self] == 0) continue;
    tokens[self] = 0;
    if (!kCorrect) {
      guard.unlock();
      guard.lock();
    }
    tokens[(self + 1) % kStations] = 1;
  }
}

void Monitor() {
  std::lock_guard guard(mutex);
  CHECK(tokens[0] + tokens[1] + tokens[2] == 1);
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kStations; ++i) threads.emplace_back(Station, i);
  threads.emplace_back(Monitor);
  for (std::thread& thread : threads) thread.join();
}
