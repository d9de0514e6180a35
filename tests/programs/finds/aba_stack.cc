// Expect: assert
// Switches: 5
// ABA: a pop is interrupted, the top is popped, popped again and pushed back; its CAS then brings a
// taken node back.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<int> next;
  std::atomic<bool> taken = false;
};
Node nodes[3];
std::atomic<int> head = 0;

int Pop() {
  int top = head;
  while (top >= 0 && !head.compare_exchange_strong(top, nodes[top].next)) {
  }
  if (top >= 0) assert(!nodes[top].taken.exchange(true));
  return top;
}

void Push(int node) {
  nodes[node].taken = false;
  int top = head;
  do nodes[node].next = top;
  while (!head.compare_exchange_strong(top, node));
}

int main() {
  for (int i = 0; i < 3; ++i) nodes[i].next = i < 2 ? i + 1 : -1;
  std::thread slow([] { Pop(); });
  std::thread quick([] {
    int first = Pop();
    Pop();
    if (first >= 0) Push(first);
  });
  slow.join();
  quick.join();
  while (Pop() >= 0) {
  }
}
