#include "runtime/server/observers.h"

#include "runtime/sched/observer.h"
#include "runtime/sched/start_join.h"

namespace snag::rt {
namespace {

constexpr Observer* (*kObservers[])() = {
#define SNAG_ROW(function) function,
    SNAG_OBSERVERS(SNAG_ROW)
#undef SNAG_ROW
};

// Those that want begin_run: a run takes less than a microsecond, so the others are not asked.
constinit ActiveObservers begins{};

}  // namespace

void init_observers(Shared* shared) {
  deactivate_observers();  // coverage may be on: the program ran freely until now
  begins.clear();
  for (auto* observer : kObservers) {
    const EventMask events = observer()->init(shared);
    if (events == 0) continue;
    begins.add(observer());
    if ((events & ~kObservesRuns) != 0) activate_observer(observer(), events);
  }
}

void begin_observed_run(const Shared* shared, bool in_process) {
  start_join_begin_run();
  for (Observer* observer : begins) observer->begin_run(shared, in_process);
}

void end_observed_run(const Shared* shared) {
  for (Observer* observer : active_observers) observer->end_run(shared);
}

}  // namespace snag::rt
