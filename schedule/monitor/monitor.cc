#include "schedule/monitor/monitor.h"

#include <algorithm>
#include <utility>

namespace snag::schedule {

int Monitor::Names::add(std::string_view text) {
  const auto [place, is_new] =
      numbers.try_emplace(std::string(text), static_cast<int>(texts.size()));
  if (is_new) texts.emplace_back(text);
  return place->second;
}

int Monitor::Names::find(std::string_view text) const {
  const auto found = numbers.find(text);
  return found == numbers.end() ? -1 : found->second;
}

Monitor::Monitor(Schedule schedule) : schedule_(std::move(schedule)) {
  for (const Ordering& ordering : schedule_.orderings) {
    Rule rule;
    rule.condition = compiled(ordering.condition);
    rule.counter = counter_of(ordering.event);
    rule.occurrence = ordering.event.occurrence;
    rules_.push_back(std::move(rule));
  }
  for (Rule& rule : rules_) rule.holds = holds(rule.condition);
  occurrences_.resize(names_.texts.size());
  history_.reserve(kMaxHistory);
}

std::size_t Monitor::counter_of(const EventRef& event) {
  const int name = event.kind == EventKind::kNamed ? names_.add(event.name) : -1;
  const int thread_name = event.thread.empty() ? -1 : thread_names_.add(event.thread);
  if (event.kind == EventKind::kBlock || event.kind == EventKind::kUnblock)
    mentions_blocking_ = true;
  const auto found = std::find_if(counters_.begin(), counters_.end(), [&](const Counter& counter) {
    return counter.kind == event.kind && counter.name == name && counter.thread_name == thread_name;
  });
  if (found != counters_.end()) return static_cast<std::size_t>(found - counters_.begin());
  counters_.push_back({event.kind, name, thread_name, 0, -1, {}});
  return counters_.size() - 1;
}

Monitor::Node Monitor::compiled(const Condition& condition) {
  Node node;
  node.op = condition.op;
  if (condition.op == Condition::Op::kHappened || condition.op == Condition::Op::kBlocked) {
    node.counter = counter_of(condition.event);
    node.occurrence = condition.event.first_occurrence();
  }
  if (condition.op == Condition::Op::kBlocked) {
    mentions_blocking_ = true;
    node.latest = !condition.event.has_occurrence;
    if (!node.latest) counters_[node.counter].thread_of[node.occurrence] = -1;
  }
  for (const Condition& part : condition.parts) node.parts.push_back(compiled(part));
  return node;
}

int Monitor::mentions(std::string_view event_name) const {
  return names_.find(normal_name(event_name));
}

Monitor::Thread& Monitor::thread(int number) {
  const auto index = static_cast<std::size_t>(number);
  if (threads_.size() <= index) threads_.resize(index + 1);
  return threads_[index];
}

Monitor::Thread Monitor::thread_or_none(int number) const {
  const auto index = static_cast<std::size_t>(number);
  return index < threads_.size() ? threads_[index] : Thread{};
}

void Monitor::thread_named(int number, std::string_view name) {
  thread(number).name = name.empty() ? -1 : thread_names_.add(name);
}

bool Monitor::is_blocked(int number) const { return thread_or_none(number).blocked; }

bool Monitor::counts(const Counter& counter, const Action& action) const {
  return counter.kind == action.kind && counter.name == action.name &&
         (counter.thread_name == -1 || counter.thread_name == thread_or_none(action.thread).name);
}

// Whether the action is the occurrence that the rule is about.
bool Monitor::concerns(const Rule& rule, const Action& action) const {
  const Counter& counter = counters_[rule.counter];
  return counts(counter, action) &&
         (rule.occurrence == EventRef::kEvery || counter.count + 1 == rule.occurrence);
}

// It is unknown how often e#* will come: it is reached with the first one.
bool Monitor::reached(const Rule& rule, const Action* assumed) const {
  const Counter& counter = counters_[rule.counter];
  const std::uint32_t needed = rule.occurrence == EventRef::kEvery ? 1 : rule.occurrence;
  return counter.count + (assumed && counts(counter, *assumed) ? 1 : 0) >= needed;
}

// The thread that [e] requires to be blocked; -1 if e has not happened.
int Monitor::thread_in_block(const Node& node) const {
  const Counter& counter = counters_[node.counter];
  return node.latest ? counter.latest_thread : counter.thread_of.at(node.occurrence);
}

bool Monitor::holds(const Node& node) const {
  const auto part_holds = [this](const Node& part) { return holds(part); };
  switch (node.op) {
    case Condition::Op::kHappened:
      return counters_[node.counter].count >= node.occurrence;
    case Condition::Op::kBlocked: {
      const int number = thread_in_block(node);
      return number >= 0 && is_blocked(number);
    }
    case Condition::Op::kNot:
      return !holds(node.parts[0]);
    case Condition::Op::kAnd:
      return std::all_of(node.parts.begin(), node.parts.end(), part_holds);
    case Condition::Op::kOr:
      break;
  }
  return std::any_of(node.parts.begin(), node.parts.end(), part_holds);
}

// "Has happened" stays true forever; "not yet happened", "blocked" and "not blocked" may change.
Monitor::Verdict Monitor::verdict(const Node& node, const Action* assumed) const {
  switch (node.op) {
    case Condition::Op::kHappened: {
      const Counter& counter = counters_[node.counter];
      const bool one_more = assumed && counts(counter, *assumed);
      return counter.count + (one_more ? 1 : 0) >= node.occurrence ? Verdict::kForEver
                                                                   : Verdict::kOpen;
    }
    case Condition::Op::kBlocked:
      return Verdict::kOpen;
    case Condition::Op::kNot:
      switch (verdict(node.parts[0], assumed)) {
        case Verdict::kNever:
          return Verdict::kForEver;
        case Verdict::kForEver:
          return Verdict::kNever;
        case Verdict::kOpen:
          break;
      }
      return Verdict::kOpen;
    case Condition::Op::kAnd:
    case Condition::Op::kOr:
      break;
  }
  // The weakest part decides "and", the strongest one "or".
  const bool all = node.op == Condition::Op::kAnd;
  Verdict result = all ? Verdict::kForEver : Verdict::kNever;
  for (const Node& part : node.parts) {
    const Verdict one = verdict(part, assumed);
    result = all ? std::min(result, one) : std::max(result, one);
  }
  return result;
}

bool Monitor::makes_impossible(const Action& action, const Rule& rule) const {
  return !reached(rule, &action) && verdict(rule.condition, &action) == Verdict::kNever &&
         verdict(rule.condition, nullptr) != Verdict::kNever;
}

bool Monitor::may_happen(const Action& action) const {
  return std::none_of(rules_.begin(), rules_.end(), [&](const Rule& rule) {
    return (!rule.holds && concerns(rule, action)) || makes_impossible(action, rule);
  });
}

std::optional<Violation> Monitor::happened(const Action& action) {
  if (action.kind == EventKind::kNamed && action.name < 0) return std::nullopt;
  Step step{++position_, action, 1, thread(action.thread).name};

  std::optional<Violation> violation;
  for (std::size_t i = 0; i < rules_.size() && !violation; ++i) {
    const Rule& rule = rules_[i];
    if (rule.holds || !concerns(rule, action)) continue;
    violation = Violation{i, schedule_.orderings[i].offset, {}, "", rule.held_until, {}};
    explain(rule.condition, true, true, violation->reason);
  }

  for (Counter& counter : counters_) {
    if (!counts(counter, action)) continue;
    ++counter.count;
    counter.latest_thread = action.thread;
    const auto asked = counter.thread_of.find(static_cast<std::uint32_t>(counter.count));
    if (asked != counter.thread_of.end()) asked->second = action.thread;
  }
  if (action.kind == EventKind::kBlock) thread(action.thread).blocked = true;
  if (action.kind == EventKind::kUnblock || action.kind == EventKind::kEnd)
    thread(action.thread).blocked = false;

  if (action.kind == EventKind::kNamed)
    step.occurrence = ++occurrences_[static_cast<std::size_t>(action.name)];
  if (history_.size() < kMaxHistory)
    history_.push_back(step);
  else
    history_[(position_ - 1) % kMaxHistory] = step;

  if (violation) violation->event = step;
  if (violation && !first_violation_) first_violation_ = violation;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    Rule& rule = rules_[i];
    const bool held = rule.holds;
    rule.holds = holds(rule.condition);
    if (held && !rule.holds) rule.held_until = step;
    if (rule.holds && first_violation_ && first_violation_->ordering == i &&
        first_violation_->held_from.position == 0)
      first_violation_->held_from = step;
  }
  return violation;
}

std::vector<Step> Monitor::history() const {
  std::vector<Step> steps = history_;
  std::sort(steps.begin(), steps.end(),
            [](const Step& a, const Step& b) { return a.position < b.position; });
  return steps;
}

}  // namespace snag::schedule
