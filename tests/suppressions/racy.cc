// A data race, a lock taken in a wrong way, and a use after free, to be suppressed one by one; and a
// race that is marked as meant.
#include <pthread.h>
#include <snag/benign.h>

#include <cstring>
#include <thread>

long counter, statistics;

void add() {
  ++counter;
  ++statistics;
}

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

void unlock_too_much() {
  pthread_mutex_unlock(&gate);
}

int use_after_free() {
  volatile int* block = new int(1);
  delete block;
  return *block;
}

int main(int argc, char** argv) {
  SNAG_BENIGN_RACE(statistics);
  const char* what = argc > 1 ? argv[1] : "race";
  if (std::strcmp(what, "lock") == 0) unlock_too_much();
  if (std::strcmp(what, "heap") == 0) return use_after_free() == 2;
  std::thread first(add), second(add);
  first.join();
  second.join();
}
