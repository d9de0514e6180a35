#include "schedule/language/event_graph.h"

#include <algorithm>

namespace snag::schedule {
namespace {

void collect_literals(const Condition& condition, bool positive, std::vector<Literal>& found) {
  switch (condition.op) {
    case Condition::Op::kNot:
      return collect_literals(condition.parts[0], !positive, found);
    case Condition::Op::kAnd:
    case Condition::Op::kOr:
      // All parts of an "and" must hold, and all parts of a negated "or" must not.
      if ((condition.op == Condition::Op::kAnd) == positive)
        for (const Condition& part : condition.parts) collect_literals(part, positive, found);
      return;
    case Condition::Op::kHappened:
    case Condition::Op::kBlocked:
      found.push_back({&condition, positive});
  }
}

bool same_name(const EventRef& a, const EventRef& b) {
  return a.kind == b.kind && a.name == b.name;
}

// Whether an event can be an occurrence of both.
bool may_coincide(const EventRef& a, const EventRef& b) {
  if (!same_name(a, b)) return false;
  if (a.thread == b.thread) return a.occurrence == b.occurrence;
  return a.thread.empty() || b.thread.empty();
}

}  // namespace

std::vector<Literal> literals_of(const Condition& condition) {
  std::vector<Literal> found;
  collect_literals(condition, true, found);
  return found;
}

EventGraph::Key EventGraph::key_of(const EventRef& event) {
  return {event.kind, event.name, event.thread, event.first_occurrence()};
}

EventGraph::EventGraph(const Schedule& schedule) {
  for (const Ordering& ordering : schedule.orderings) {
    add_all(ordering.condition);
    add(ordering.event);
  }
  for (std::size_t i = 0; i < schedule.orderings.size(); ++i) add_ordering_edges(schedule, i);
  add_natural_edges();
  find_required(schedule);
}

void EventGraph::add(const EventRef& event) {
  if (!numbers_.try_emplace(key_of(event), nodes_.size()).second) return;
  nodes_.push_back(event);
  nodes_.back().occurrence = event.first_occurrence();
  nodes_.back().has_occurrence = event.occurrence > 1 && event.occurrence != EventRef::kEvery;
}

void EventGraph::add_all(const Condition& condition) {
  if (condition.parts.empty()) add(condition.event);
  for (const Condition& part : condition.parts) add_all(part);
}

std::size_t EventGraph::node_of(const EventRef& event) const { return numbers_.at(key_of(event)); }

void EventGraph::add_ordering_edges(const Schedule& schedule, std::size_t number) {
  const Ordering& ordering = schedule.orderings[number];
  const std::size_t node = node_of(ordering.event);
  for (const Literal& literal : literals_of(ordering.condition)) {
    const std::size_t other = node_of(literal.leaf->event);
    if (literal.positive) {
      edges_.push_back({other, node, true, true, Reason::kOrdering, number});
    } else if (literal.leaf->op == Condition::Op::kHappened) {
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        // e#* means each occurrence, in any thread.
        const bool meant =
            i == node ||
            (ordering.event.occurrence == EventRef::kEvery &&
             same_name(nodes_[i], ordering.event) &&
             (ordering.event.thread.empty() || ordering.event.thread == nodes_[i].thread));
        if (meant && i != other)
          edges_.push_back({i, other, !may_coincide(nodes_[i], nodes_[other]), false,
                            Reason::kOrdering, number});
      }
    }
  }
}

std::size_t EventGraph::latest_up_to(EventRef event, std::uint32_t occurrence) const {
  event.occurrence = occurrence;
  const Key limit = key_of(event);
  auto found = numbers_.upper_bound(limit);
  if (occurrence == 0 || found == numbers_.begin()) return kNone;
  --found;
  const EventRef& candidate = nodes_[found->second];
  return same_name(candidate, event) && candidate.thread == event.thread ? found->second : kNone;
}

void EventGraph::add_natural_edges() {
  const auto add_edge = [this](std::size_t from, std::size_t to, Reason reason, bool strict) {
    if (from == kNone || to == kNone || from == to) return;
    edges_.push_back({from, to, strict, reason != Reason::kEnd, reason, kNone});
  };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const EventRef& event = nodes_[i];
    add_edge(latest_up_to(event, event.occurrence - 1), i, Reason::kOccurrences, true);
    if (event.thread.empty()) continue;

    EventRef other = event;
    other.thread.clear();
    const std::size_t any = latest_up_to(other, event.occurrence);
    if (any != kNone)
      add_edge(any, i, Reason::kSameEvent, nodes_[any].occurrence < event.occurrence);
    other = {};
    other.thread = event.thread;
    other.kind = EventKind::kStart;
    add_edge(latest_up_to(other, 1), i, Reason::kStart, true);
    other.kind = EventKind::kEnd;
    add_edge(i, latest_up_to(other, 1), Reason::kEnd, true);
  }
}

void EventGraph::find_required(const Schedule& schedule) {
  required_.resize(nodes_.size());
  std::vector<std::vector<std::size_t>> needs(nodes_.size());
  for (const Edge& edge : edges_)
    if (edge.needed) needs[edge.to].push_back(edge.from);
  std::vector<std::size_t> open;
  for (const Ordering& ordering : schedule.orderings) open.push_back(node_of(ordering.event));
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (required_[node]) continue;
    required_[node] = true;
    open.insert(open.end(), needs[node].begin(), needs[node].end());
  }
}

// Kosaraju's: two nodes have the same number if each can be reached from the other. Without
// recursion: a schedule may be one long chain.
std::vector<std::size_t> EventGraph::components(
    const std::vector<std::vector<std::size_t>>& leaving) const {
  std::vector<std::size_t> finished;
  std::vector<std::size_t> next(nodes_.size());
  std::vector<bool> seen(nodes_.size());
  for (std::size_t root = 0; root < nodes_.size(); ++root) {
    if (seen[root]) continue;
    std::vector<std::size_t> path = {root};
    seen[root] = true;
    while (!path.empty()) {
      const std::size_t node = path.back();
      if (next[node] == leaving[node].size()) {
        finished.push_back(node);
        path.pop_back();
        continue;
      }
      const std::size_t to = edges_[leaving[node][next[node]++]].to;
      if (!seen[to]) path.push_back(to);
      seen[to] = true;
    }
  }

  std::vector<std::vector<std::size_t>> backward(nodes_.size());
  for (const auto& numbers : leaving)
    for (const std::size_t number : numbers)
      backward[edges_[number].to].push_back(edges_[number].from);
  std::vector<std::size_t> component(nodes_.size(), kNone);
  for (auto root = finished.rbegin(); root != finished.rend(); ++root) {
    std::vector<std::size_t> open = {*root};
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      if (component[node] != kNone) continue;
      component[node] = *root;
      for (const std::size_t from : backward[node])
        if (component[from] == kNone) open.push_back(from);
    }
  }
  return component;
}

std::optional<std::vector<EventGraph::Edge>> EventGraph::cycle() const {
  std::vector<std::vector<std::size_t>> leaving(nodes_.size());
  for (std::size_t i = 0; i < edges_.size(); ++i)
    if (required_[edges_[i].from] && required_[edges_[i].to]) leaving[edges_[i].from].push_back(i);
  const std::vector<std::size_t> component = components(leaving);

  // The edges stand in the order of the text: the first strict one gives the cycle to show.
  const auto closing = std::find_if(edges_.begin(), edges_.end(), [&](const Edge& edge) {
    return edge.strict && required_[edge.from] && required_[edge.to] &&
           component[edge.from] == component[edge.to];
  });
  if (closing == edges_.end()) return std::nullopt;

  // The shortest way back.
  std::vector<std::size_t> reached_by(nodes_.size(), kNone);
  std::vector<std::size_t> open = {closing->to};
  for (std::size_t done = 0; done < open.size() && closing->from != closing->to; ++done) {
    for (const std::size_t number : leaving[open[done]]) {
      const std::size_t to = edges_[number].to;
      if (reached_by[to] != kNone || to == closing->to) continue;
      reached_by[to] = number;
      open.push_back(to);
    }
  }
  std::vector<Edge> result;
  for (std::size_t node = closing->from; node != closing->to;) {
    result.push_back(edges_[reached_by[node]]);
    node = result.back().from;
  }
  result.push_back(*closing);
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace snag::schedule
