// A data race, a lock taken in a wrong way, a use after free, and locks taken in both orders, to be
// suppressed one by one; and a race that is marked as meant.
#include <pthread.h>
#include <snag/benign.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>

long counter, statistics;

void add() {
  ++counter;
  ++statistics;
}

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

void unlock_too_much() { pthread_mutex_unlock(&gate); }

// A flag keeps them apart: nothing happens, but it could.
std::mutex left, right;
std::atomic<bool> went_one_way;
void one_way() {
  {
    std::scoped_lock first(left);
    std::scoped_lock second(right);
  }
  went_one_way = true;
}
void other_way() {
  std::scoped_lock first(right);
  std::scoped_lock second(left);
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
  if (std::strcmp(what, "orders") == 0) {
    std::thread one(one_way);
    while (!went_one_way) {
    }
    other_way();
    one.join();
    return 0;
  }
  std::thread first(add), second(add);
  first.join();
  second.join();
}
