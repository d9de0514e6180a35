#include "runtime/server/observers.h"

#include "runtime/cover/cover.h"
#include "runtime/detect/heap/heap.h"
#include "runtime/detect/races/races.h"
#include "runtime/record/full_trace_writer.h"
#include "runtime/record/step_recorder.h"
#include "runtime/record/wanted_pair.h"
#include "runtime/record/watch_log.h"
#include "runtime/sched/debugger_tables.h"
#include "runtime/sched/start_join.h"
#include "runtime/server/run_strategy.h"

namespace snag::rt {
namespace {

// In the order in which they get events. Races come first: a race that ends the run must not be
// followed by a record of what the program never did. The heap makes room in the tables of races.
constexpr Observer* (*kObservers[])() = {
    race_observer,       heap_observer,        coverage_observer,
    full_trace_observer, wanted_pair_observer, watch_observer,
    step_recorder,       debugger_observer,    directed_places_observer,
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
