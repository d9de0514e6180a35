#include "tool/shrink/switch_search.h"

#include <algorithm>

#include "protocol/dependence.h"
#include "protocol/guide.h"
#include "protocol/random.h"
#include "tool/shrink/order_hash.h"

namespace snag::shrink {
namespace {

// About 100 bytes each: limits the memory of a search.
constexpr std::size_t kMaxNodes = 4'000'000;

Op op_of(const Step& step) { return {step.kind, step.object, step.pc}; }

std::uint64_t steps_of(std::span<const Stretch> stretches) {
  std::uint64_t sum = 0;
  for (const Stretch& stretch : stretches) sum += stretch.steps;
  return sum;
}

// What a thread does when it continues: a step, and the silent steps after it.
std::vector<Op> next_ops(std::span<const Step> steps) {
  std::vector<Op> ops{op_of(steps.front())};
  for (const Step& step : steps.subspan(1)) {
    if ((step.flags & kSilentStep) == 0) break;
    ops.push_back(op_of(step));
  }
  return ops;
}

bool depends_on_any(const Step& step, const std::vector<Op>& ops) {
  return std::any_of(ops.begin(), ops.end(),
                     [&](const Op& op) { return dependent_in_log(op_of(step), op); });
}

// The choices made in a step.
std::span<const Choice> choices_at(std::span<const Choice> choices, std::uint64_t step) {
  const auto before = [](const Choice& choice, std::uint64_t at) { return choice.step < at; };
  const auto first = std::lower_bound(choices.begin(), choices.end(), step, before);
  const auto last = std::lower_bound(first, choices.end(), step + 1, before);
  return {first, last};
}

}  // namespace

SwitchSearchResult SwitchSearch::search(std::size_t limit, const TargetSchedule& prefix) {
  nodes_.clear();
  levels_.assign(limit, {});
  seen_.clear();
  found_.reset();
  too_many_threads_ = false;
  limit_ = limit;
  prefix_ = prefix;
  Tid first = 0;
  if (!prefix_.stretches.empty()) {
    first = prefix_.stretches.back().thread;
    prefix_.stretches.pop_back();
  }
  add(prefix_.stretches.size(), {kNoParent, 0, first, false, {}, prefix_.choices});
  SwitchSearchResult result;
  std::size_t runs = 0;
  for (std::size_t switches = 0; switches < levels_.size(); ++switches) {
    while (!levels_[switches].empty()) {
      const std::uint32_t node = levels_[switches].front();
      levels_[switches].pop_front();
      if (++runs > patience_ || nodes_.size() > kMaxNodes || !visit(node, switches)) return result;
      if (found_) {
        result.found = std::move(found_);
        result.complete = !too_many_threads_;
        return result;
      }
    }
  }
  result.complete = !too_many_threads_;
  return result;
}

std::vector<Stretch> SwitchSearch::schedule_of(std::uint32_t node) const {
  std::vector<Stretch> reversed{{nodes_[node].thread, 0, kUntilBlocked}};
  for (; nodes_[node].parent != kNoParent; node = nodes_[node].parent) {
    reversed.push_back({nodes_[nodes_[node].parent].thread, 0, nodes_[node].parent_steps});
  }
  std::vector<Stretch> schedule = prefix_.stretches;
  schedule.insert(schedule.end(), reversed.rbegin(), reversed.rend());
  return schedule;
}

bool SwitchSearch::visit(std::uint32_t node, std::size_t switches) {
  TargetSchedule target{schedule_of(node), nodes_[node].choices, true};
  const auto log = runner_.run(target);
  if (!log) return false;
  target.stretches.pop_back();
  const std::uint64_t begin = steps_of(target.stretches);
  // Something uncontrolled went differently this time, so nothing can be concluded.
  const bool as_wished =
      begin < log->steps.size() && log->steps[begin].thread == nodes_[node].thread;
  if (log->same_failure && as_wished) {
    found_ = target_of(*log);
    return true;
  }
  if (as_wished) {
    branch(node, *log, begin, switches);
    branch_on_choices(node, *log, switches);
  }
  return true;
}

void SwitchSearch::branch(std::uint32_t node, const GuidedLog& log, std::size_t begin,
                          std::size_t switches) {
  OrderHash order;
  std::size_t created = 1;
  bool did_something = thorough_ == Thorough::kYes;
  for (std::size_t at = 0; at < log.steps.size(); ++at) {
    const Step& step = log.steps[at];
    const bool can_switch = at > begin && (step.flags & kSilentStep) == 0;
    if (can_switch && did_something) branch_at(node, log, begin, at, order.value(), switches);
    order.add(step, choices_at(log.choices, at));
    if (step.thread >= kMaskedThreads || created == kMaskedThreads) too_many_threads_ = true;
    if (step.kind == OpKind::kThreadCreate) ++created;
    if (at >= begin) did_something = did_something || step.kind != OpKind::kThreadStart;
  }
  if (log.ended_early) branch_at(node, log, begin, log.steps.size(), order.value(), switches);
}

void SwitchSearch::branch_at(std::uint32_t node, const GuidedLog& log, std::size_t begin,
                             std::size_t at, std::uint64_t order, std::size_t switches) {
  const Tid own = nodes_[node].thread;
  const bool is_end = at == log.steps.size();
  const bool interrupted = !is_end && log.could_go_on(at, own);
  const std::vector<Op> next = interrupted ? next_ops(log.steps.subspan(at)) : std::vector<Op>{};
  for (Tid thread = 0; thread < kMaskedThreads; ++thread) {
    if (!log.could_go_on(at, thread)) continue;
    // At its end the thread itself may go on too: its wait times out.
    if (thread == own && !is_end) continue;
    const std::size_t cost = switches + (thread == own ? 0 : 1);
    if (cost >= limit_) continue;
    if (thorough_ == Thorough::kNo && is_pointless(node, log, begin, at, thread)) continue;
    if (!seen_.insert(mix64(order + thread)).second) continue;
    const auto made = std::find_if(log.choices.begin(), log.choices.end(),
                                   [&](const Choice& choice) { return choice.step >= at; });
    add(cost, {node, static_cast<std::uint32_t>(at - begin), thread, interrupted, next,
               std::vector<Choice>(log.choices.begin(), made)});
  }
}

bool SwitchSearch::is_pointless(std::uint32_t node, const GuidedLog& log, std::size_t begin,
                                std::size_t at, Tid thread) const {
  // Back through the stretches, to where the thread was interrupted.
  for (std::size_t since = begin; nodes_[node].parent != kNoParent; node = nodes_[node].parent) {
    const Node& cut = nodes_[node];
    if (nodes_[cut.parent].thread == thread) {
      const auto meanwhile = log.steps.subspan(since, at - since);
      return cut.interrupted &&
             std::none_of(meanwhile.begin(), meanwhile.end(),
                          [&](const Step& s) { return depends_on_any(s, cut.next); });
    }
    since -= cut.parent_steps;
  }
  return false;
}

void SwitchSearch::branch_on_choices(std::uint32_t node, const GuidedLog& log,
                                     std::size_t switches) {
  // The requested ones have been examined before.
  for (std::size_t i = nodes_[node].choices.size(); i < log.choices.size(); ++i) {
    for (std::uint32_t value = 1; value < log.choices[i].count; ++value) {
      Node other = nodes_[node];
      other.choices.assign(log.choices.begin(), log.choices.begin() + static_cast<long>(i) + 1);
      other.choices.back().value = value;
      add(switches, std::move(other));
    }
  }
}

void SwitchSearch::add(std::size_t switches, Node node) {
  if (switches >= levels_.size()) return;
  levels_[switches].push_back(static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back(std::move(node));
}

}  // namespace snag::shrink
