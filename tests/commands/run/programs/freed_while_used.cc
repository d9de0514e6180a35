// A delete of many words is one row, and a write that was stopped leaves no value behind.
#include <atomic>
#include <mutex>
#include <thread>

struct Node {
  std::atomic<int> references{2};
  int payload[6] = {1, 2, 3, 4, 5, 6};
  std::mutex mutex;
};

void Release(Node* node) {
  if (node->references == 1) {
    delete node;
  } else {
    --node->references;
    std::lock_guard lock(node->mutex);
    node->payload[4] = 77;
  }
}

int main() {
  Node* node = new Node;
  std::thread reader([node] { Release(node); });
  std::thread writer([node] { Release(node); });
  reader.join();
  writer.join();
}
