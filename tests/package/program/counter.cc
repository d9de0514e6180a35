#include "counter.h"

#include <cstring>
#include <mutex>

namespace {
std::mutex mutex;
}

void Counter::add(int amount) {
  std::lock_guard lock(mutex);
  int value;
  std::memcpy(&value, &value_, sizeof value);
  value += amount;
  std::memcpy(&value_, &value, sizeof value);
}

int Counter::value() const {
  std::lock_guard lock(mutex);
  return value_;
}
