// qsort_mt: two workers sort an array; a worker keeps the left part and offers the right part to
// the other. The work is done when the count of outstanding parts is zero.
// Fails: a worker offers its right part and is preempted before it counts it; the other worker
// takes and finishes that part, the count falls to zero, and main finds the left part unsorted.
// Correct: offer and count in one critical section.
#include <pthread.h>

#include "check.h"

struct Range {
  int begin;
  int end;
};

static volatile int data[] = {4, 2, 6, 1, 5, 3};
static const int kSize = 6;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t offered = PTHREAD_COND_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static Range offers[kSize];
static int offer_count = 0;
static int outstanding = 0;
static bool done = false;

static void Offer(Range range) {
  pthread_mutex_lock(&lock);
  CHECK(offer_count < kSize);
  offers[offer_count++] = range;
  pthread_cond_signal(&offered);
  if (!kCorrect) {
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
  }
  ++outstanding;
  pthread_mutex_unlock(&lock);
}

static void Swap(int i, int j) {
  int old = data[i];
  data[i] = data[j];
  data[j] = old;
}

// Puts the last element in its place, smaller ones to its left, and returns that place.
static int Partition(Range range) {
  int pivot = data[range.end - 1];
  int place = range.begin;
  for (int i = range.begin; i < range.end - 1; ++i) {
    if (data[i] < pivot) Swap(place++, i);
  }
  Swap(place, range.end - 1);
  return place;
}

static void Sort(Range range) {
  while (range.end - range.begin > 1) {
    int middle = Partition(range);
    if (range.end - middle > 2) Offer({middle + 1, range.end});
    range.end = middle;
  }
}

static void* Worker(void*) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (offer_count == 0 && !done) pthread_cond_wait(&offered, &lock);
    if (done) break;
    Range range = offers[--offer_count];
    pthread_mutex_unlock(&lock);
    Sort(range);
    pthread_mutex_lock(&lock);
    if (--outstanding == 0) {
      done = true;
      pthread_cond_broadcast(&offered);
      pthread_cond_signal(&finished);
    }
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return nullptr;
}

int main() {
  pthread_t workers[2];
  Offer({0, kSize});
  for (pthread_t& worker : workers) CHECK(pthread_create(&worker, nullptr, Worker, nullptr) == 0);
  pthread_mutex_lock(&lock);
  while (!done) pthread_cond_wait(&finished, &lock);
  pthread_mutex_unlock(&lock);
  for (int i = 1; i < kSize; ++i) CHECK(data[i - 1] <= data[i]);
  for (pthread_t worker : workers) pthread_join(worker, nullptr);
  return 0;
}
