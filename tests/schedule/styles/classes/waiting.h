// Counts the threads that are in a wait. The classes have it for tests that are ordered by hand,
// which have no other way to know that a thread has come to its wait.
#pragma once

#include <atomic>

class Waiting {
 public:
  explicit Waiting(std::atomic<int>& count) : count_(count) { ++count_; }
  ~Waiting() { --count_; }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  std::atomic<int>& count_;
};
