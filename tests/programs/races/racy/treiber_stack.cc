// Expect: race
// A lock-free stack that pushes with a relaxed compare_exchange.
#include <atomic>
#include <thread>

struct Node {
  int value = 0;
  Node* next = nullptr;
};

Node nodes[2];
std::atomic<Node*> top;

int main() {
  auto push = [](int self) {
    Node* node = &nodes[self];
    node->value = self;  // race
    node->next = top.load(std::memory_order_relaxed);
    while (!top.compare_exchange_weak(node->next, node, std::memory_order_relaxed)) {
    }
  };
  std::thread first(push, 0), second(push, 1);
  Node* taken;
  while ((taken = top.exchange(nullptr, std::memory_order_acquire)) == nullptr)
    std::this_thread::yield();
  volatile int seen = taken->value;  // race
  (void)seen;
  first.join();
  second.join();
}
