// A correct class of which no object can be made, or destroyed: the environment says what its
// constructors and its destructor do instead.
#pragma once

#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>

class Unmade {
 public:
  Unmade() { act("UNMADE"); }
  explicit Unmade(int value) : value_(value) { act("UNMADE_INT"); }
  ~Unmade() {
    try {
      act("UNMADE_END");
    } catch (...) {
    }
  }
  void set(int value) {
    const std::lock_guard lock(mutex_);
    value_ = value;
  }
  int get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  static void act(const char* variable) {
    const char* text = std::getenv(variable);
    const std::string what = text ? text : "";
    if (what == "throws a number") throw 1;
    if (what == "throws") throw std::runtime_error("no licence");
    if (what == "crashes") __builtin_trap();
    if (what == "exits") std::_Exit(4);
    while (what == "hangs") asm volatile("");
  }

  mutable std::mutex mutex_;
  int value_ = 0;
};
