// Notices that a run wrote over the memory that the server shares with the tool.
#pragma once

#include "protocol/damage.h"

namespace snag::rt {

// A copy, which the run cannot reach, of what a run must not change.
class DamageCheck {
 public:
  // Call it right before a run.
  void remember(const Shared* shared);
  // Call it after the run. If there is damage, restores the copy, except for the record of the run,
  // of which only what can be true is left.
  bool find_and_repair(Shared* shared) const;

 private:
  void leave_what_can_be_true(Shared* shared) const;
  struct Header {
    std::uint64_t magic, size, step_capacity, stretch_capacity;
    std::uint32_t version, module_count;
  };
  static Header header_of(const Shared* shared);

  Header header_{};
  alignas(Config) char config_[sizeof(Config)]{};
  alignas(Live) char live_[sizeof(Live)]{};
  Module modules_[kMaxModules]{};
  // Of the run that is to come.
  std::uint64_t number_ = 0, seed_ = 0;
  std::uint32_t points_used_ = 0, contexts_ = 0;
};

}  // namespace snag::rt
