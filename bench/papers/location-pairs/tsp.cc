// The travelling salesman by branch and bound, by THREADS threads: a shared queue of beginnings of
// tours, a shared best tour, each under its lock; the length of the best one is also read without
// it, to give up early. In the end the best tour must be the one that trying all of them gives.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "../../programs/check.h"

#ifndef THREADS
#define THREADS 4
#endif

namespace {

constexpr int kCities = 8;
constexpr int kSplit = 3;  // beginnings with fewer cities are split, longer ones are solved
constexpr int kQueueSize = 128;

struct Tour {
  int count;
  int length;
  int cities[kCities];
};

int distances[kCities][kCities];

std::mutex queue_lock;
std::condition_variable queue_changed;
Tour queue[kQueueSize];
int queue_size = 0;
int working = 0;  // threads that may still put something into the queue

std::mutex best_lock;
Tour best_tour;
std::atomic<int> best_length = 1 << 20;

void MakeMap() {
  for (int i = 0; i < kCities; ++i)
    for (int j = 0; j < kCities; ++j)
      distances[i][j] = i == j ? 0 : 10 + (std::min(i, j) * 37 + std::max(i, j) * 53) % 71;
}

void PutTour(const Tour& tour) {
  std::lock_guard guard(queue_lock);
  queue[queue_size] = tour;
  ++queue_size;
  queue_changed.notify_one();
}

// The shortest beginning in the queue; false if there will be no more.
bool GetTour(Tour& tour) {
  std::unique_lock guard(queue_lock);
  while (queue_size == 0) {
    if (working == 0) return false;
    queue_changed.wait(guard);
  }
  int shortest = 0;
  for (int i = 1; i < queue_size; ++i)
    if (queue[i].length < queue[shortest].length) shortest = i;
  tour = queue[shortest];
  --queue_size;
  queue[shortest] = queue[queue_size];
  ++working;
  return true;
}

void FinishTour() {
  std::lock_guard guard(queue_lock);
  --working;
  if (working == 0) queue_changed.notify_all();
}

void SetBest(const Tour& tour, int length) {
  std::lock_guard guard(best_lock);
  if (length >= best_length.load(std::memory_order_relaxed)) return;
  best_length.store(length, std::memory_order_relaxed);
  best_tour = tour;
}

bool HasCity(const Tour& tour, int city) {
  for (int i = 0; i < tour.count; ++i)
    if (tour.cities[i] == city) return true;
  return false;
}

Tour Longer(const Tour& tour, int city) {
  Tour longer = tour;
  longer.length += distances[tour.cities[tour.count - 1]][city];
  longer.cities[longer.count++] = city;
  return longer;
}

void Split(const Tour& tour) {
  for (int city = 1; city < kCities; ++city)
    if (!HasCity(tour, city)) PutTour(Longer(tour, city));
}

void Solve(const Tour& tour) {
  if (tour.length >= best_length.load(std::memory_order_relaxed)) return;
  if (tour.count == kCities) {
    const int length = tour.length + distances[tour.cities[kCities - 1]][0];
    if (length < best_length.load(std::memory_order_relaxed)) SetBest(tour, length);
    return;
  }
  for (int city = 1; city < kCities; ++city)
    if (!HasCity(tour, city)) Solve(Longer(tour, city));
}

void RunThread() {
  Tour tour;
  while (GetTour(tour)) {
    if (tour.count < kSplit)
      Split(tour);
    else
      Solve(tour);
    FinishTour();
  }
}

[[gnu::noinline]] void CheckBest() {
  int order[kCities - 1];
  for (int i = 0; i < kCities - 1; ++i) order[i] = i + 1;
  int shortest = 1 << 20;
  do {
    int length = distances[0][order[0]] + distances[order[kCities - 2]][0];
    for (int i = 1; i < kCities - 1; ++i) length += distances[order[i - 1]][order[i]];
    shortest = std::min(shortest, length);
  } while (std::next_permutation(order, order + kCities - 1));
  CHECK(best_length == shortest);
  int length = distances[best_tour.cities[kCities - 1]][0];
  for (int i = 1; i < kCities; ++i)
    length += distances[best_tour.cities[i - 1]][best_tour.cities[i]];
  CHECK(length == shortest);
}

}  // namespace

int main() {
  MakeMap();
  PutTour(Tour{1, 0, {0}});
  std::vector<std::thread> threads;
  for (int thread = 0; thread < THREADS; ++thread) threads.emplace_back(RunThread);
  for (std::thread& thread : threads) thread.join();
  CheckBest();
}
