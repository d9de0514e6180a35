// Three threads in turns go to nodes that are deleted and made anew all the time, as in a table or
// a list: the same code finds another history each time, thousands of times. The recorder has ways
// of its own for such code, which have to come to what the program's own book says.
//
// modes: free
// metrics: 17 19
// compilers: g++ clang++-19
// expected: program
#include <cstddef>

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
SITE read_key(const Node* node) {
  use(node->key);  // C
}
SITE compare_key(const Node* node) {
  use(node->key + 1);  // D
}
SITE read_count(const Node* node) {
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
SITE read_value(const Node* node) {
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

UNSEEN void go_to(int thread, int i, unsigned what) {
  switch (what) {
    case 0:
      read_key(nodes[i]);
      return note(thread, i, 'C', offsetof(Node, key), 8, false);
    case 1:
      compare_key(nodes[i]);
      return note(thread, i, 'D', offsetof(Node, key), 8, false);
    case 2:
      read_count(nodes[i]);
      return note(thread, i, 'E', offsetof(Node, count), 4, false);
    case 3:
      set_mark(nodes[i]);
      return note(thread, i, 'F', offsetof(Node, mark), 4, true);
    case 4:
      set_value(nodes[i]);
      return note(thread, i, 'G', offsetof(Node, value), 8, true);
    case 5:
      add_value(nodes[i]);
      note(thread, i, 'H', offsetof(Node, value), 8, false);
      return note(thread, i, 'H', offsetof(Node, value), 8, true);
    case 6:
      read_value(nodes[i]);
      return note(thread, i, 'I', offsetof(Node, value), 8, false);
    case 7:
      follow(i);
      note_pointer(thread, i, 'J', false);
      return note(thread, i, 'K', offsetof(Node, key), 8, false);
    default:
      set_through(i);
      note_pointer(thread, i, 'L', false);
      return note(thread, i, 'M', offsetof(Node, count), 4, true);
  }
}

// What may come directly after what is found out early or late: some of it is rare.
UNSEEN void take_turn(int thread, int turn) {
  for (int i = 0; i < kNodes; ++i) {
    if (turn == 0 || random_below(16) == 0) renew(thread, i);
  }
  const unsigned kinds = turn < kTurns / 2 ? 8 : 9;
  for (int i = 0; i < 32; ++i)
    go_to(thread, static_cast<int>(random_below(kNodes)), random_below(kinds));
}

int main() { return play_all(); }
