// Expect: clean
// A work-stealing deque of fixed size: the owner pushes and pops at the bottom, two thieves steal
// at the top, and the last item goes to the thread that moves the top.
#include <atomic>
#include <cassert>
#include <thread>

class Deque {
 public:
  void Push(int item) {
    int bottom = bottom_;
    items_[bottom % 8] = item;
    bottom_ = bottom + 1;
  }
  int Pop() {
    int bottom = bottom_ - 1;
    bottom_ = bottom;
    int top = top_;
    if (top > bottom) {
      bottom_ = bottom + 1;
      return 0;
    }
    int item = items_[bottom % 8];
    if (top < bottom) return item;
    if (!top_.compare_exchange_strong(top, top + 1)) item = 0;
    bottom_ = bottom + 1;
    return item;
  }
  int Steal() {
    int top = top_;
    if (top >= bottom_) return 0;
    int item = items_[top % 8];
    return top_.compare_exchange_strong(top, top + 1) ? item : 0;
  }

 private:
  std::atomic<int> top_ = 0, bottom_ = 0;
  std::atomic<int> items_[8] = {};
};

Deque deque;
std::atomic<int> taken[5];

void Took(int item) {
  if (item != 0) assert(taken[item].fetch_add(1) == 0);
}

int main() {
  auto thief = [] {
    for (int i = 0; i < 2; ++i) Took(deque.Steal());
  };
  std::thread a(thief), b(thief);
  for (int item = 1; item <= 4; ++item) {
    deque.Push(item);
    if (item % 2 == 0) Took(deque.Pop());
  }
  a.join();
  b.join();
  for (int item; (item = deque.Pop()) != 0;) Took(item);
  for (int item = 1; item <= 4; ++item) assert(taken[item] == 1);
}
