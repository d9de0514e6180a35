// Expect: clean
// Epochs: a reader is in the epoch that it has read, and looks again; a writer unlinks an object,
// moves the epoch on, and deletes when no reader is in an earlier one.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value;
};

std::atomic<Node*> head = new Node{1};
std::atomic<int> epoch = 1;
std::atomic<int> in_epoch[2];  // 0: outside

void Read(int self) {
  for (int i = 0; i < 2; ++i) {
    int seen = epoch;
    for (;;) {
      in_epoch[self] = seen;
      int again = epoch;
      if (again == seen) break;
      seen = again;
    }
    assert(head.load()->value > 0);
    in_epoch[self] = 0;
  }
}

void Write() {
  for (int i = 2; i <= 3; ++i) {
    Node* old = head.exchange(new Node{i});
    int now = ++epoch;
    for (auto& reader : in_epoch)
      for (int seen; (seen = reader) != 0 && seen < now;) std::this_thread::yield();
    delete old;
  }
}

int main() {
  std::thread a(Read, 0), b(Read, 1), writer(Write);
  a.join();
  b.join();
  writer.join();
  delete head.load();
}
