// Notices that a run wrote over the memory that the server shares with the tool.
#pragma once

#include "protocol/damage.h"

namespace snag::rt {

// What a run leaves as it is, kept where the run cannot reach it.
class DamageCheck {
 public:
  // Right before a run.
  void remember(const Shared* shared);
  // After it. If it was damaged, what was there before is there again, but for the run itself.
  bool find_and_repair(Shared* shared) const;

 private:
  struct Header {
    std::uint64_t magic, size, step_capacity, stretch_capacity;
    std::uint32_t version, module_count;
  };
  static Header header_of(const Shared* shared);

  Header header_{};
  alignas(Config) char config_[sizeof(Config)]{};
  alignas(Live) char live_[sizeof(Live)]{};
};

}  // namespace snag::rt
