// Three threads in turns execute code with several accesses one after the other, which the
// compilers' plugins group (protocol/access_groups.h): nothing may be missed, and nothing be taken
// for something else, however often the same code has found something else before.
//
// modes: free
// metrics: 17 19
// compilers: g++ clang++-19
// expected: program
#include <vector>

#include "book.h"

// ---- The accesses. ----

struct Cell {
  long a, b;
  int c, d;
  long e;
};
Cell* cell(char* at) { return reinterpret_cast<Cell*>(at); }

SITE sum(char* at) {
  long total = cell(at)->a;  // A
  total += cell(at)->b;      // B
  total += cell(at)->c;      // C
  total += cell(at)->d;      // D
  use(total);
}
SITE shift(char* at) {
  const long x = cell(at)->a;  // E
  cell(at)->b = x;             // F
  cell(at)->e = x + 1;         // G
}
SITE halves(char* at) {
  const int x = cell(at)->c;  // H
  cell(at)->d = x + 1;        // I
}
SITE copy(char* at) {
  *cell(at) = cell(at)[1];  // J
}
SITE fill(char* at) {
  *cell(at) = Cell{};  // K
}
SITE branch(char* at) {
  const long x = cell(at)->a;  // L
  long y = x;
  if (x > 3) y = 1000 / x;
  use(y + cell(at)->b);  // M
}
SITE around_byte(char* at) {
  long total = cell(at)->a;  // N
  total += at[16];           // O
  total += cell(at)->b;      // P
  use(total);
}
SITE across(char* at) {
  const long x = cell(at)[2].a;  // Q
  cell(at)[0].a = x;             // R
  cell(at)[1].e = x;             // S
}
SITE again(char* at) {
  long total = cell(at)->a;  // T
  total += cell(at)->e;      // U
  use(total);
}
SITE odd(char* at) {
  at += 2;
  int total = *reinterpret_cast<int*>(at);   // V
  total += *reinterpret_cast<int*>(at + 4);  // W
  use(total);
}
SITE bump(char* at) {
  cell(at)->a += 1;  // X
  cell(at)->e += 1;  // Y
}

// ---- What they are. ----

struct Part {
  char letter;
  int offset, size;
  bool writes;
};
struct Site {
  void (*access)(char*);
  std::vector<Part> parts;
};
const Site kSites[] = {
    {again, {{'T', 0, 8, false}, {'U', 24, 8, false}}},
    {sum, {{'A', 0, 8, false}, {'B', 8, 8, false}, {'C', 16, 4, false}, {'D', 20, 4, false}}},
    {shift, {{'E', 0, 8, false}, {'F', 8, 8, true}, {'G', 24, 8, true}}},
    {halves, {{'H', 16, 4, false}, {'I', 20, 4, true}}},
    {copy, {{'J', 32, 32, false}, {'J', 0, 32, true}}},
    {fill, {{'K', 0, 32, true}}},
    {branch, {{'L', 0, 8, false}, {'M', 8, 8, false}}},
    {around_byte, {{'N', 0, 8, false}, {'O', 16, 1, false}, {'P', 8, 8, false}}},
    {across, {{'Q', 64, 8, false}, {'R', 0, 8, true}, {'S', 56, 8, true}}},
    {odd, {{'V', 2, 4, false}, {'W', 6, 4, false}}},
    {bump, {{'X', 0, 8, false}, {'X', 0, 8, true}, {'Y', 24, 8, false}, {'Y', 24, 8, true}}},
};

UNSEEN void do_access(const Site& site, int thread, long at) {
  site.access(memory + at);
  for (const Part& part : site.parts)
    book.note(thread, part.letter, at + part.offset, part.size, part.writes);
}

// At the beginning most is only read, by one piece of code: later it finds it changed.
UNSEEN void take_turn(int thread, int turn) {
  const bool calm = turn < kTurns / 3;
  for (int i = 0; i < 8; ++i) {
    const Site& site = kSites[calm && random_below(8) != 0 ? 0 : random_below(std::size(kSites))];
    const long at = 8 * long{random_below(calm ? 8 : (kBytes - 96) / 8)};
    do_access(site, thread, at);
    if (&site == kSites) do_access(site, thread, at);
  }
}

int main() { return play_all(); }
