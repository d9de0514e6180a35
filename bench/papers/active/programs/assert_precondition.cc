// kind: assertion
// What the caller has made sure of does not hold any more when the function begins.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

#include "../work.h"

namespace {
class Stack {
 public:
  bool empty() const {
    std::lock_guard guard(lock_);
    return size_ == 0;
  }
  void push() {
    std::lock_guard guard(lock_);
    ++size_;
  }
  void pop() {
    std::lock_guard guard(lock_);
    assert(size_ > 0);
    --size_;
  }
  void pop_if_any() {
    std::lock_guard guard(lock_);
    if (size_ > 0) --size_;
  }

 private:
  mutable std::mutex lock_;
  int size_ = 0;
};
Stack stack;

void Take() {
  Work();
  if (kCorrect)
    stack.pop_if_any();
  else if (!stack.empty())
    stack.pop();
  Work();
}
}  // namespace

int main() {
  stack.push();
  std::thread first(Take), second(Take);
  first.join();
  second.join();
}
