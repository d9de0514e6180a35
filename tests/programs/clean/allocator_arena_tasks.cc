// Expect: clean
// An arena for each worker, which is reset between tasks: objects of different tasks lie at the
// same addresses, one after the other, and results are copied out.
#include <atomic>
#include <cassert>
#include <cstddef>
#include <new>
#include <thread>

class Arena {
 public:
  template <class T>
  T* New(T value) {
    used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    assert(used_ + sizeof(T) <= sizeof memory_);
    T* object = ::new (memory_ + used_) T(value);
    used_ += sizeof(T);
    return object;
  }
  void Reset() { used_ = 0; }

 private:
  alignas(std::max_align_t) char memory_[256];
  std::size_t used_ = 0;
};

struct Node {
  int value;
  Node* next;
};

std::atomic<int> next_task;
int results[6];

void Worker(Arena* arena) {
  for (int task; (task = next_task++) < 6; arena->Reset()) {
    Node* head = nullptr;
    for (int i = 0; i <= task; ++i) head = arena->New(Node{i, head});
    long* sum = arena->New(0L);
    for (Node* node = head; node != nullptr; node = node->next) *sum += node->value;
    results[task] = *sum;
  }
}

int main() {
  Arena arenas[2];
  std::thread a(Worker, &arenas[0]), b(Worker, &arenas[1]);
  a.join();
  b.join();
  for (int task = 0; task < 6; ++task) assert(results[task] == task * (task + 1) / 2);
}
