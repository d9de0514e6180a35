// A counter that threads share, in a shared library of its own.
#pragma once

class Counter {
 public:
  void add(int amount);
  int value() const;

 private:
  int value_ = 0;
};
