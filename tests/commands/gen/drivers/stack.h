// A stack without any lock: data races, and lost elements.
#pragma once

#include <stdexcept>
#include <vector>

class Stack {
 public:
  void push(int value) { items_.push_back(value); }
  int pop() {
    if (items_.empty()) throw std::out_of_range("the stack is empty");
    const int value = items_.back();
    items_.pop_back();
    return value;
  }
  bool empty() const { return items_.empty(); }
  int size() const { return static_cast<int>(items_.size()); }

 private:
  std::vector<int> items_;
};
