// C and C++: marks of <snag/benign.h>, in a program that does not know Snag's runtime.
#include <snag/benign.h>

struct Counter {
  int hits;
  volatile long misses;
};

static struct Counter counter;
static int table[4];

int main(void) {
  const struct Counter* pointer = &counter;
  SNAG_BENIGN_RACE(counter);
  SNAG_BENIGN_RACE(counter.misses);
  SNAG_BENIGN_RACE(pointer->hits);
  SNAG_BENIGN_RACE(table);
  SNAG_BENIGN_RACE(table[2]);
  if (pointer != 0) SNAG_BENIGN_RACE_RANGE(table, sizeof(table));
  return counter.hits + table[0];
}
