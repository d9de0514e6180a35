// A block is freed while in use: a flag, not at the beginning of its word, is set too early.
#include <atomic>
#include <thread>

struct Node {
  int payload[8] = {};
};
struct alignas(8) Flags {
  std::atomic<int> unused{0};
  std::atomic<int> done{0};
};
Flags flags;

int main(int, char**) {
  Node* node = new Node;
  std::thread user([node] {
    flags.done = 1;
    node->payload[3] = 1;
  });
  std::thread owner([node] {
    if (flags.done == 1) delete node;
  });
  user.join();
  owner.join();
}
