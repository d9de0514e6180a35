// Three threads take turns on nodes that are deleted and created all the time, as in a table or a
// list: the same code finds another history each time, thousands of times, so it becomes
// megamorphic. The recorder's special paths for them must agree with the program's own book.
//
// modes: free
// metrics: 17 19
// compilers: g++ clang++-19
// expected: program
#include <cstddef>
#include <iterator>

#include "book.h"

struct Node {
  long key;
  int count, mark;
  long value;
};
constexpr int kNodes = 8, kNodeBytes = 32;

// In the book the pointers come first, and then what they point to.
Node** const nodes = reinterpret_cast<Node**>(memory);
constexpr long kPointersEnd = kNodes * sizeof(Node*);
static_assert(kPointersEnd + kNodes * kNodeBytes <= kBytes);

// ---- The accesses. ----

SITE make(int i) {
  Node* node = new Node{i, 1, 2, 3};  // A
  nodes[i] = node;                    // B
}
SITE read_key(Node* node) {
  use(node->key);  // C
}
SITE compare_key(Node* node) {
  use(node->key + 1);  // D
}
SITE read_count(Node* node) {
  use(node->count);  // E
}
SITE set_mark(Node* node) {
  node->mark = 1;  // F
}
SITE set_value(Node* node) {
  node->value = 1;  // G
}
SITE add_value(Node* node) {
  node->value += 1;  // H
}
SITE read_value(Node* node) {
  use(node->value);  // I
}
SITE follow(int i) {
  const Node* node = nodes[i];  // J
  use(node->key);               // K
}
SITE set_through(int i) {
  Node* node = nodes[i];  // L
  node->count = 1;        // M
}

// ---- What they are. ----

UNSEEN void note(int thread, int i, char letter, std::size_t offset, int size, bool writes) {
  book.note(thread, letter, kPointersEnd + i * kNodeBytes + static_cast<long>(offset), size,
            writes);
}
UNSEEN void note_pointer(int thread, int i, char letter, bool writes) {
  book.note(thread, letter, i * static_cast<long>(sizeof(Node*)), sizeof(Node*), writes);
}

UNSEEN void renew(int thread, int i) {
  if (nodes[i]) {
    delete nodes[i];
    for (long at = kPointersEnd + i * kNodeBytes, end = at + kNodeBytes; at < end; ++at) {
      book.last[at] = {};
      book.all[at].clear();
    }
  }
  make(i);
  note(thread, i, 'A', 0, sizeof(Node), true);
  note_pointer(thread, i, 'B', true);
}

struct Site {
  char letter;
  void (*access)(Node*);
  std::size_t offset;
  int size;
  bool reads, writes;
};
const Site kSites[] = {
    {'C', read_key, offsetof(Node, key), 8, true, false},
    {'D', compare_key, offsetof(Node, key), 8, true, false},
    {'E', read_count, offsetof(Node, count), 4, true, false},
    {'F', set_mark, offsetof(Node, mark), 4, false, true},
    {'G', set_value, offsetof(Node, value), 8, false, true},
    {'H', add_value, offsetof(Node, value), 8, true, true},
    {'I', read_value, offsetof(Node, value), 8, true, false},
};

UNSEEN void go_to(int thread, int i, unsigned what) {
  if (what < std::size(kSites)) {
    const Site& site = kSites[what];
    site.access(nodes[i]);
    if (site.reads) note(thread, i, site.letter, site.offset, site.size, false);
    if (site.writes) note(thread, i, site.letter, site.offset, site.size, true);
  } else if (what == std::size(kSites)) {
    follow(i);
    note_pointer(thread, i, 'J', false);
    note(thread, i, 'K', offsetof(Node, key), 8, false);
  } else {
    set_through(i);
    note_pointer(thread, i, 'L', false);
    note(thread, i, 'M', offsetof(Node, count), 4, true);
  }
}

// (One of the paths is only taken when the others are megamorphic already.)
UNSEEN void take_turn(int thread, int turn) {
  for (int i = 0; i < kNodes; ++i) {
    if (turn == 0 || random_below(16) == 0) renew(thread, i);
  }
  const unsigned ways = std::size(kSites) + (turn < kTurns / 2 ? 1 : 2);
  for (int i = 0; i < 32; ++i)
    go_to(thread, static_cast<int>(random_below(kNodes)), random_below(ways));
}

int main() { return play_all(); }
