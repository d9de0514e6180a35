// Three threads in turns access the same memory, in all sizes and ways, so often that the recorder
// takes every one of its short cuts. The program keeps book itself, for each byte: the pairs are
// those that the definitions give for what it really did.
//
// modes: free
// metrics: 17 19
// expected: program
#include "book.h"

// ---- The accesses. ----

struct Record {
  int number;
  char flag;
  short code;
  long values[5];
};
struct __attribute__((packed)) Odd {
  int value;
};

SITE read_byte(char* at) {
  use(*at);  // A
}
SITE write_byte(char* at) {
  *at = 1;  // B
}
SITE read_short(char* at) {
  use(*reinterpret_cast<short*>(at));  // C
}
SITE write_short(char* at) {
  *reinterpret_cast<short*>(at) = 1;  // D
}
SITE read_int(char* at) {
  use(*reinterpret_cast<int*>(at));  // E
}
SITE write_int(char* at) {
  *reinterpret_cast<int*>(at) = 1;  // F
}
SITE read_long(char* at) {
  use(*reinterpret_cast<long*>(at));  // G
}
SITE write_long(char* at) {
  *reinterpret_cast<long*>(at) = 1;  // H
}
SITE read_again(char* at) {
  use(*reinterpret_cast<long*>(at));  // I
}
SITE add_long(char* at) {
  *reinterpret_cast<long*>(at) += 1;  // J
}
SITE read_odd(char* at) {
  use(reinterpret_cast<Odd*>(at)->value);  // K
}
SITE write_odd(char* at) {
  reinterpret_cast<Odd*>(at)->value = 1;  // L
}
SITE load_atomic(char* at) {
  use(__atomic_load_n(reinterpret_cast<int*>(at), __ATOMIC_ACQUIRE));  // M
}
SITE add_atomic(char* at) {
  __atomic_fetch_add(reinterpret_cast<int*>(at), 1, __ATOMIC_RELAXED);  // N
}
SITE fill(char* at) {
  std::memset(at, 0, sizeof(Record));  // O
}
SITE copy(char* at) {
  *reinterpret_cast<Record*>(at) = *reinterpret_cast<Record*>(at + sizeof(Record));  // P
}
SITE read_bytes(char* at) {
  for (int i = 0; i < 8; ++i) use(at[i]);  // Q
}
SITE write_flag(char* at) {
  reinterpret_cast<Record*>(at)->flag = 1;  // R
}

// ---- What they are. ----

struct Site {
  char letter;
  void (*access)(char*);
  int alignment, size;
  bool reads, writes;
  int offset = 0;  // from `at`
};
const Site kSites[] = {
    {'A', read_byte, 1, 1, true, false},         {'B', write_byte, 1, 1, false, true},
    {'C', read_short, 2, 2, true, false},        {'D', write_short, 2, 2, false, true},
    {'E', read_int, 4, 4, true, false},          {'F', write_int, 4, 4, false, true},
    {'G', read_long, 8, 8, true, false},         {'H', write_long, 8, 8, false, true},
    {'I', read_again, 8, 8, true, false},        {'J', add_long, 8, 8, true, true},
    {'K', read_odd, 1, 4, true, false},          {'L', write_odd, 1, 4, false, true},
    {'M', load_atomic, 4, 4, true, false},       {'N', add_atomic, 4, 4, true, true},
    {'O', fill, 8, sizeof(Record), false, true}, {'P', copy, 8, sizeof(Record), true, true},
    {'Q', read_bytes, 8, 8, true, false},        {'R', write_flag, 8, 1, false, true, 4},
};

UNSEEN void do_access(const Site& site, int thread, long at) {
  site.access(memory + at);
  const long begin = at + site.offset;
  if (site.letter == 'P') {
    book.note(thread, 'P', at + static_cast<long>(sizeof(Record)), sizeof(Record), false);
    book.note(thread, 'P', at, sizeof(Record), true);
  } else if (site.letter == 'N') {
    book.note(thread, 'N', begin, site.size, true);  // one access
  } else {
    if (site.reads) book.note(thread, site.letter, begin, site.size, false);
    if (site.writes) book.note(thread, site.letter, begin, site.size, true);
  }
}

// At the beginning most is only read, by few instructions: later they find it changed.
UNSEEN void take_turn(int thread, int turn) {
  const bool calm = turn < kTurns / 3;
  for (int i = 0; i < 8; ++i) {
    const Site& site = kSites[calm && random_below(8) != 0 ? 8 : random_below(std::size(kSites))];
    const int places = (kBytes - 2 * static_cast<int>(sizeof(Record))) / site.alignment;
    const long at = long{random_below(static_cast<unsigned>(places))} * site.alignment;
    do_access(site, thread, calm && site.letter == 'I' ? at / 2 & ~7l : at);
    if (site.letter == 'I') do_access(site, thread, calm ? at / 2 & ~7l : at);
  }
}

int main() { return play_all(); }
