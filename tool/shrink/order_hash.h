// When the order of two steps can matter, and hashes of beginnings of runs that are equal where
// only steps were exchanged whose order does not.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "protocol/shared_memory.h"

namespace snag::shrink {

// Whether the order of two steps of different threads can matter. More careful than `conflicts`: a
// log does not say all that some operations do.
bool depends(const Op& a, const Op& b);

class OrderHash {
 public:
  // The next step, and the choices that it made.
  void add(const Step& step, std::span<const Choice> choices);
  // Of all steps so far.
  std::uint64_t value() const { return sum_; }

 private:
  struct Object {
    std::uint64_t changed = 0, looked = 0;
  };
  std::uint64_t sum_ = 0;
  std::uint64_t barrier_ = 0;  // the last step that depends on everything
  std::uint64_t created_ = 0;  // the last thread-create: the order of these numbers the threads
  std::vector<std::uint64_t> last_of_thread_;
  std::unordered_map<std::uint64_t, Object> objects_;
};

}  // namespace snag::shrink
