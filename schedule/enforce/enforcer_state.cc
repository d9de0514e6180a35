#include "schedule/enforce/enforcer_state.h"

namespace snag::schedule {

constinit Active* active = nullptr;

namespace {

std::vector<ThreadState> states() {
  std::vector<ThreadState> result;
  for (const Thread* t = first_thread(); t; t = t->next) {
    ThreadState state;
    state.number = t->number;
    state.name = t->name;
    state.ended = t->ended;
    if (t->waits_in.load(std::memory_order_acquire) != WaitKind::kNone) {
      state.wait = t->wait;
      if (t->wait.kind == WaitKind::kJoin && t->wait.object) {
        const auto* other = static_cast<const Thread*>(t->wait.object);
        state.joins = thread_text(other->number, other->name);
      }
    }
    for (const Waiting& waiting : active->waiting) {
      if (waiting.thread != t) continue;
      state.site = waiting.site;
      state.action = waiting.action;
      state.in_snag = true;
    }
    result.insert(result.begin(), state);
  }
  return result;
}

}  // namespace

Situation situation() {
  return {active->settings.name, active->settings.text, active->monitor, states()};
}

}  // namespace snag::schedule
