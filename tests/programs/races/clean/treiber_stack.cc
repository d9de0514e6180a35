// Expect: clean
// A lock-free stack: pushes release, and all is taken at once by an acquiring exchange.
#include <atomic>
#include <cassert>
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
    node->value = self + 1;
    node->next = top.load(std::memory_order_relaxed);
    while (!top.compare_exchange_weak(node->next, node, std::memory_order_release,
                                      std::memory_order_relaxed)) {
    }
  };
  std::thread first(push, 0), second(push, 1);
  int sum = 0;
  while (sum < 3) {
    Node* taken = top.exchange(nullptr, std::memory_order_acquire);
    if (taken == nullptr) std::this_thread::yield();
    for (; taken != nullptr; taken = taken->next) sum += taken->value;
  }
  first.join();
  second.join();
  assert(sum == 3);
}
