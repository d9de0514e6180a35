// What the strategies that follow a recorded run share.
#pragma once

#include "protocol/shared_memory.h"
#include "runtime/strategies/registry.h"

namespace snag::rt {

// Repeats the recorded choices; the derived class picks the threads.
class Follower : public Strategy {
 public:
  void open(Shared* shared) { shared_ = shared; }

  void begin(const RunPlan&) override { choice_ = 0; }

  // The run writes its own choices to the same array, but each only after it was read here.
  std::uint32_t choose(const World&, std::uint32_t n) final {
    if (choice_ >= shared_->config.replay_choices) return 0;
    const std::uint32_t value = shared_->choices[choice_++].value;
    return value < n ? value : 0;
  }

 protected:
  using Strategy::Strategy;
  ~Follower() = default;

  Shared* shared_ = nullptr;

 private:
  std::uint32_t choice_ = 0;
};

}  // namespace snag::rt
