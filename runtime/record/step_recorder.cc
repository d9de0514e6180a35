// Implements runtime/sched/observer.h: records the callers of each step, and the values that
// it reads and writes (step_values.h), for runs that will be shown (Config::record_frames).

#include "runtime/record/step_values.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {
namespace {

class StepRecorder final : public Observer {
 public:
  EventMask init(Shared* shared) override {
    return shared->config.record_frames ? kObservesSteps : 0;
  }
  void begin_run(const Shared*, bool) override { reset_step_values(); }
  void step(const Thread* t, const void* address, std::uint64_t size) override {
    copy_frames(t, sched.frames + sched.step * kStepFrames);
    begin_step_value(sched.shared->values(), sched.step, sched.pending[t->tid].kind, address, size);
  }
  void failed(std::uint64_t fault_address) override { end_step_values(fault_address); }
};

constinit StepRecorder observer;

}  // namespace

Observer* step_observer() { return &observer; }

}  // namespace snag::rt
