// Expect: race
// Through a list with a lock in each node, but each lock is let go before the value is touched.
#include <mutex>
#include <thread>

struct Node {
  std::mutex mutex;
  int value = 0;
  Node* next = nullptr;
};

Node nodes[2];

int main() {
  nodes[0].next = &nodes[1];
  auto walk = [] {
    for (Node* node = &nodes[0]; node != nullptr;) {
      node->mutex.lock();
      Node* next = node->next;
      node->mutex.unlock();
      ++node->value;  // race
      node = next;
    }
  };
  std::thread first(walk), second(walk);
  first.join();
  second.join();
}
