// safestack: Dmitry Vyukov's lock-free stack of array cells, meant to be safe from ABA because a
// popper first takes the top cell's `next` away. Three threads pop a cell, own it for a moment and
// push it back.
// Fails (ABA): a popper has loaded `head` = cell 0 and takes its `next` = cell 1 while another
// thread, which has popped cell 0 meanwhile, is pushing it back; a third thread pops cell 1; cell 0
// gets on top again, and the popper's compare-and-swap of `head` succeeds with the stale `next`.
// Cell 1 is on the stack while the third thread owns it: soon two threads own it. The failure with
// the fewest switches, by exhaustive search, has 9 of them, in 43 operations: the hardest bug here.
// Correct: `head` carries a version that every successful change increments.
#include <atomic>
#include <thread>
#include <type_traits>
#include <vector>

#include "check.h"

namespace {

constexpr int kThreads = 3;
constexpr int kCells = 3;
constexpr int kRounds = 2;    // cells that each thread pops
constexpr int kAttempts = 4;  // to pop one cell, so that no loop is unbounded
constexpr int kNone = -1;

struct Cell {
  std::atomic<int> next;
  volatile int owner;
};

Cell cells[kCells] = {{1, kNone}, {2, kNone}, {kNone, kNone}};

class SafeStack {
 public:
  int Pop() {
    for (int i = 0; i < kAttempts && count_ > 1; ++i) {
      int top = head_;
      int next = cells[top].next.exchange(kNone);
      if (next == kNone) continue;
      int expected = top;
      if (head_.compare_exchange_strong(expected, next)) {
        --count_;
        return top;
      }
      cells[top].next.exchange(next);
    }
    return kNone;
  }

  void Push(int cell) {
    int top = head_;
    do {
      cells[cell].next = top;
    } while (!head_.compare_exchange_strong(top, cell));
    ++count_;
  }

 private:
  std::atomic<int> head_ = 0;
  std::atomic<int> count_ = kCells;
};

class VersionedStack {
 public:
  int Pop() {
    Head top = head_;
    for (int i = 0; i < kAttempts && top.cell != kNone; ++i) {
      if (head_.compare_exchange_strong(top, {cells[top.cell].next, top.version + 1}))
        return top.cell;
    }
    return kNone;
  }

  void Push(int cell) {
    Head top = head_;
    do {
      cells[cell].next = top.cell;
    } while (!head_.compare_exchange_strong(top, {cell, top.version + 1}));
  }

 private:
  struct Head {
    int cell;
    int version;
  };

  std::atomic<Head> head_ = Head{0, 0};
};

std::conditional_t<kCorrect, VersionedStack, SafeStack> stack;

void Use(int self) {
  for (int i = 0; i < kRounds; ++i) {
    int cell = stack.Pop();
    if (cell == kNone) continue;
    cells[cell].owner = self;
    CHECK(cells[cell].owner == self);
    stack.Push(cell);
  }
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(Use, i);
  for (std::thread& thread : threads) thread.join();
}
