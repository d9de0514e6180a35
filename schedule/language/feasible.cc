#include "schedule/language/feasible.h"

#include <algorithm>

#include "schedule/language/event_graph.h"

namespace snag::schedule {
namespace {

// The name of the thread that runs main().
constexpr std::string_view kMainThread = "main";

std::string quoted(const Ordering& ordering) { return "'" + to_string(ordering) + "'"; }

// Whether a condition is [e@t] and the event one of t itself, which does nothing while it is
// blocked.
bool blocks_itself(const Condition& leaf, const EventRef& event) {
  return leaf.op == Condition::Op::kBlocked && !leaf.event.thread.empty() &&
         leaf.event.thread == event.thread && event.kind != EventKind::kUnblock;
}

// What is impossible in one ordering, by itself.
std::optional<Fault> check_ordering(const Ordering& ordering) {
  const EventRef& event = ordering.event;
  if (event.kind == EventKind::kStart && event.thread == kMainThread)
    return Fault{event.offset,
                 "start@main cannot wait for anything: the main thread runs already when the test "
                 "begins"};
  const std::vector<Literal> literals = literals_of(ordering.condition);
  const auto find = [&](auto is_it) {
    const auto found = std::find_if(literals.begin(), literals.end(), is_it);
    return found == literals.end() ? nullptr : found->leaf;
  };
  for (const Literal& literal : literals) {
    const Condition& leaf = *literal.leaf;
    if (leaf.op != Condition::Op::kBlocked || !literal.positive) continue;
    const std::string& thread = leaf.event.thread;
    const std::string block = to_string(leaf);
    if (blocks_itself(leaf, event))
      return Fault{leaf.offset, quoted(ordering) + " cannot be met: while thread " + thread +
                                    " is blocked, it cannot come to " + to_string(event)};
    if (!thread.empty() && find([&](const Literal& other) {
          return other.positive && other.leaf->op == Condition::Op::kHappened &&
                 other.leaf->event.kind == EventKind::kEnd && other.leaf->event.thread == thread;
        }))
      return Fault{leaf.offset, quoted(ordering) + " cannot be met: after its end, thread " +
                                    thread + " is not blocked any more"};
    if (find([&](const Literal& other) {
          return !other.positive && other.leaf->op == Condition::Op::kBlocked &&
                 to_string(*other.leaf) == block;
        }))
      return Fault{leaf.offset, quoted(ordering) + " cannot be met: it wants " + block +
                                    " to hold and not to hold at the same moment"};
  }
  return std::nullopt;
}

std::string natural_reason(EventGraph::Reason reason, const EventRef& later) {
  switch (reason) {
    case EventGraph::Reason::kOccurrences:
      return "the occurrences of an event have an order";
    case EventGraph::Reason::kSameEvent:
      return to_string(later) + " counts as an occurrence of " + later.name + " too";
    case EventGraph::Reason::kStart:
      return "a thread starts before it does anything";
    case EventGraph::Reason::kEnd:
      return "a thread does nothing after its end";
    case EventGraph::Reason::kOrdering:
      break;
  }
  return "";
}

Fault fault_of(const std::vector<EventGraph::Edge>& cycle, const EventGraph& graph,
               const Schedule& schedule) {
  const auto text = [&](std::size_t node) { return to_string(graph.event(node)); };
  std::string message = "this is a cycle, which no run can meet: " + text(cycle[0].from);
  std::string reasons;
  bool plain = true;  // the orderings themselves say it all
  std::size_t offset = SIZE_MAX;
  for (const EventGraph::Edge& edge : cycle) {
    message += " -> " + text(edge.to);
    reasons += "\n  " + text(edge.from) + " comes before " + text(edge.to) + ": ";
    if (edge.reason != EventGraph::Reason::kOrdering) {
      reasons += natural_reason(edge.reason, graph.event(edge.to));
      plain = false;
    } else {
      const Ordering& ordering = schedule.orderings[edge.ordering];
      reasons += quoted(ordering);
      plain = plain && ordering.condition.op == Condition::Op::kHappened;
      offset = std::min(offset, ordering.offset);
    }
  }
  return {offset, plain ? message : message + reasons};
}

// Which events can happen at all: the least set that contains an event whenever what it waits for
// is in the set.
class Possible {
 public:
  Possible(const Schedule& schedule, const EventGraph& graph)
      : schedule_(schedule),
        graph_(graph),
        can_(graph.size()),
        orderings_on_(graph.size()),
        natural_(graph.size()) {
    for (std::size_t i = 0; i < schedule.orderings.size(); ++i)
      orderings_on_[graph.node_of(schedule.orderings[i].event)].push_back(i);
    for (const EventGraph::Edge& edge : graph.edges())
      if (edge.needed && edge.reason != EventGraph::Reason::kOrdering)
        natural_[edge.to].push_back(edge.from);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t node = 0; node < graph.size(); ++node) {
        if (can_[node] || !can_now(node)) continue;
        can_[node] = true;
        changed = true;
      }
    }
  }

  std::optional<Fault> fault() const {
    for (const Ordering& ordering : schedule_.orderings) {
      const std::size_t node = graph_.node_of(ordering.event);
      if (!can_[node])
        return Fault{ordering.offset,
                     to_string(graph_.event(node)) + " can never happen:" + reasons(node)};
    }
    return std::nullopt;
  }

 private:
  static bool is_end_of_main(const EventRef& event) {
    return event.kind == EventKind::kEnd && event.thread == kMainThread;
  }

  bool can_now(std::size_t node) const {
    return !is_end_of_main(graph_.event(node)) &&
           std::all_of(natural_[node].begin(), natural_[node].end(),
                       [&](std::size_t other) { return can_[other]; }) &&
           std::all_of(orderings_on_[node].begin(), orderings_on_[node].end(), [&](std::size_t i) {
             return can_hold(schedule_.orderings[i].condition, true, graph_.event(node));
           });
  }

  // For `event` to happen.
  bool can_hold(const Condition& condition, bool wanted, const EventRef& event) const {
    const auto part_can = [&](const Condition& part) { return can_hold(part, wanted, event); };
    switch (condition.op) {
      case Condition::Op::kHappened:
      case Condition::Op::kBlocked:
        return !wanted ||
               (can_[graph_.node_of(condition.event)] && !blocks_itself(condition, event));
      case Condition::Op::kNot:
        return can_hold(condition.parts[0], !wanted, event);
      case Condition::Op::kAnd:
      case Condition::Op::kOr:
        break;
    }
    return (condition.op == Condition::Op::kAnd) == wanted
               ? std::all_of(condition.parts.begin(), condition.parts.end(), part_can)
               : std::any_of(condition.parts.begin(), condition.parts.end(), part_can);
  }

  // A line for each event that is stuck because of another one, beginning with this one.
  std::string reasons(std::size_t first) const {
    constexpr std::size_t kMostLines = 10;
    std::string text;
    std::vector<std::size_t> open = {first};
    const auto follow = [&](std::size_t node) {
      if (!can_[node] && std::find(open.begin(), open.end(), node) == open.end())
        open.push_back(node);
    };
    for (std::size_t done = 0; done < open.size() && done < kMostLines; ++done) {
      const std::size_t node = open[done];
      const std::string event = to_string(graph_.event(node));
      if (is_end_of_main(graph_.event(node)))
        text += "\n  end@main does not happen as long as the test runs";
      for (const std::size_t other : natural_[node]) {
        if (can_[other]) continue;
        text += "\n  " + event + " waits for " + to_string(graph_.event(other));
        follow(other);
      }
      for (const std::size_t i : orderings_on_[node]) {
        const Condition& condition = schedule_.orderings[i].condition;
        if (can_hold(condition, true, graph_.event(node))) continue;
        text += "\n  " + event + " waits for " + to_string(condition);
        for_each_leaf(condition, [&](const Condition& leaf) {
          if (blocks_itself(leaf, graph_.event(node)))
            text += "\n  while " + to_string(leaf) + " holds, its thread cannot come to " + event;
          follow(graph_.node_of(leaf.event));
        });
      }
    }
    return text;
  }

  template <typename Visit>
  static void for_each_leaf(const Condition& condition, const Visit& visit) {
    if (condition.parts.empty()) visit(condition);
    for (const Condition& part : condition.parts) for_each_leaf(part, visit);
  }

  const Schedule& schedule_;
  const EventGraph& graph_;
  std::vector<bool> can_;
  std::vector<std::vector<std::size_t>> orderings_on_, natural_;
};

}  // namespace

std::optional<Fault> check_feasible(const Schedule& schedule) {
  for (const Ordering& ordering : schedule.orderings)
    if (auto fault = check_ordering(ordering)) return fault;
  const EventGraph graph(schedule);
  if (const auto cycle = graph.cycle()) return fault_of(*cycle, graph, schedule);
  return Possible(schedule, graph).fault();
}

std::optional<Fault> check(const Schedule& schedule, const std::vector<std::string>& marked) {
  if (auto fault = check_names(schedule, marked)) return fault;
  return check_feasible(schedule);
}

}  // namespace snag::schedule
