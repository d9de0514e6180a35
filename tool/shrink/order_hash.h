// Hashes of prefixes of runs that are equal if the prefixes differ only in the order of independent
// steps (dependent_in_log).
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "protocol/order_hash.h"
#include "protocol/shared_memory.h"

namespace snag::shrink {

class OrderHash {
 public:
  // The next step, and the choices that it made.
  void add(const Step& step, std::span<const Choice> choices);
  // The hash of all steps so far.
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
  std::uint64_t barrier_ = 0;  // hash of the last step that depends on everything
  std::uint64_t created_ = 0;  // hash of the last thread creation (their order numbers the threads)
  std::vector<std::uint64_t> last_of_thread_;
  std::unordered_map<std::uint64_t, ObjectOrder> objects_;
};

}  // namespace snag::shrink
