// Implements monitor.h: the messages for people.
#include "schedule/monitor/monitor.h"

namespace snag::schedule {

std::string Monitor::thread_text(int number) const {
  const int name = thread_or_none(number).name;
  return name >= 0 ? thread_names_.texts[static_cast<std::size_t>(name)] : std::to_string(number);
}

std::string Monitor::text_of(const Step& step) const {
  const std::string thread = step.thread_name >= 0
                                 ? thread_names_.texts[static_cast<std::size_t>(step.thread_name)]
                                 : std::to_string(step.action.thread);
  if (step.action.kind != EventKind::kNamed)
    return std::string(keyword_of(step.action.kind)) + " of thread " + thread;
  return names_.texts[static_cast<std::size_t>(step.action.name)] +
         (step.occurrence > 1 ? "#" + std::to_string(step.occurrence) : "") + " in thread " +
         thread;
}

std::string Monitor::event_text(const Counter& counter, std::uint32_t occurrence) const {
  EventRef event;
  event.kind = counter.kind;
  if (counter.name >= 0) event.name = names_.texts[static_cast<std::size_t>(counter.name)];
  if (counter.thread_name >= 0)
    event.thread = thread_names_.texts[static_cast<std::size_t>(counter.thread_name)];
  event.occurrence = occurrence;
  return to_string(event);
}

// Appends why the condition is not as wanted, as facts about its events: "a has not happened, and
// thread main is not blocked after b".
void Monitor::explain(const Node& node, bool wanted, bool past, std::string& text) const {
  if (node.op == Condition::Op::kNot) return explain(node.parts[0], !wanted, past, text);
  if (!node.parts.empty()) {
    for (const Node& part : node.parts)
      if (holds(part) != wanted) explain(part, wanted, past, text);
    return;
  }
  if (!text.empty()) text += ", and ";
  const Counter& counter = counters_[node.counter];
  const std::string event = event_text(counter, node.latest ? 1 : node.occurrence);
  const std::string has = past ? " had " : " has ";
  const int number = node.op == Condition::Op::kBlocked ? thread_in_block(node) : -1;
  if (number >= 0) {
    text += "thread " + thread_text(number) + (past ? " was " : " is ") +
            (wanted ? "not blocked" : "blocked") + " after " + event;
    return;
  }
  text += event + has + (wanted ? "not happened" : "happened");
  if (wanted && counter.count > 0) {
    text += " (" + event_text(counter, 1) + has + "happened " +
            (counter.count == 1 ? "once" : std::to_string(counter.count) + " times") + ")";
  }
}

Unmet Monitor::unmet_for(std::size_t rule, const std::string& reason) const {
  const Ordering& ordering = schedule_.orderings[rule];
  return {rule, ordering.offset, "'" + to_string(ordering) + "': " + reason};
}

std::vector<Unmet> Monitor::unmet(const Action& action) const {
  std::vector<Unmet> found;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const Rule& rule = rules_[i];
    if (!rule.holds && concerns(rule, action)) {
      std::string reason;
      explain(rule.condition, true, false, reason);
      found.push_back(unmet_for(i, reason));
    } else if (makes_impossible(action, rule)) {
      const EventRef event = schedule_.orderings[i].event.first();
      found.push_back(unmet_for(i, to_string(event) + " has to happen first, and has not"));
    }
  }
  return found;
}

std::string Monitor::text_of(const Violation& violation) const {
  const auto event = [this](const Step& step) {
    return text_of(step) + " (event " + std::to_string(step.position) + ")";
  };
  std::string text = "'" + to_string(schedule_.orderings[violation.ordering]) +
                     "': " + event(violation.event) + " came when " + violation.reason;
  if (violation.held_until.position > 0)
    text += "; the condition had held until " + event(violation.held_until);
  if (violation.held_from.position > 0)
    text += "; the condition held from " + event(violation.held_from) + " on";
  return text;
}

std::vector<std::string> Monitor::unreached() const {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (reached(rules_[i], nullptr)) continue;
    const std::string text = to_string(schedule_.orderings[i].event.first());
    bool known = false;
    for (const std::string& other : found) known = known || other == text;
    if (!known) found.push_back(text);
  }
  return found;
}

std::vector<Unmet> Monitor::impossible() const {
  std::vector<Unmet> found;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const Rule& rule = rules_[i];
    if (reached(rule, nullptr) || verdict(rule.condition, nullptr) != Verdict::kNever) continue;
    std::string reason;
    explain(rule.condition, true, false, reason);
    found.push_back(unmet_for(i, reason));
  }
  return found;
}

}  // namespace snag::schedule
