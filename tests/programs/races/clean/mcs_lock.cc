// Expect: clean
// An MCS lock: waiters queue up, each spins on a node of its own.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> waits{true};
};

std::atomic<Node*> tail;
int counter;

int main() {
  auto body = [] {
    Node node;
    Node* before = tail.exchange(&node, std::memory_order_acq_rel);
    if (before != nullptr) {
      before->next.store(&node, std::memory_order_release);
      while (node.waits.load(std::memory_order_acquire)) std::this_thread::yield();
    }
    ++counter;
    Node* expected = &node;
    if (!tail.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) {
      Node* next;
      while ((next = node.next.load(std::memory_order_acquire)) == nullptr)
        std::this_thread::yield();
      next->waits.store(false, std::memory_order_release);
    }
  };
  std::thread first(body), second(body), third(body);
  first.join();
  second.join();
  third.join();
  assert(counter == 3);
}
