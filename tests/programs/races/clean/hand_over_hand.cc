// Expect: clean
// Through a list with a lock in each node: the next one is taken before this one is let go.
#include <cassert>
#include <mutex>
#include <thread>

struct Node {
  std::mutex mutex;
  int value = 0;
  Node* next = nullptr;
};

Node nodes[3];

int main() {
  nodes[0].next = &nodes[1];
  nodes[1].next = &nodes[2];
  auto walk = [] {
    std::unique_lock lock(nodes[0].mutex);
    for (Node* node = &nodes[0]; node != nullptr; node = node->next) {
      ++node->value;
      if (node->next != nullptr) {
        std::unique_lock next(node->next->mutex);
        lock.swap(next);
      }
    }
  };
  std::thread first(walk), second(walk);
  first.join();
  second.join();
  assert(nodes[0].value == 2 && nodes[2].value == 2);
}
