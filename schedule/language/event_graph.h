// The events of a schedule as nodes, and which of them have to come before which. Only the check
// for feasible schedules uses it.
//
// An edge u -> v says that v does not come before u; a strict one, that they cannot be the same
// moment either (put@adder may be the very occurrence that is put#1). A needed edge says more: v
// cannot happen without u. The others only count if both happen: `!a -> b` puts b before a, but
// does not ask for a.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "schedule/language/language.h"

namespace snag::schedule {

// A leaf of a condition that has to be true, or has to be false, whenever the condition is true.
struct Literal {
  const Condition* leaf = nullptr;
  bool positive = true;
};
std::vector<Literal> literals_of(const Condition& condition);

class EventGraph {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  // Where an edge comes from.
  enum class Reason : std::uint8_t {
    kOrdering,
    kOccurrences,  // e#2 comes after e#1
    kSameEvent,    // e@t is an e
    kStart,        // start@t comes before all that t does
    kEnd,          // end@t comes after it
  };
  struct Edge {
    std::size_t from = 0, to = 0;
    bool strict = true, needed = true;
    Reason reason = Reason::kOrdering;
    std::size_t ordering = kNone;  // its number, of kOrdering
  };

  explicit EventGraph(const Schedule& schedule);

  std::size_t size() const { return nodes_.size(); }
  // With the number of the occurrence resolved: never e#*.
  const EventRef& event(std::size_t node) const { return nodes_[node]; }
  std::size_t node_of(const EventRef& event) const;
  const std::vector<Edge>& edges() const { return edges_; }
  // Whether the schedule cannot be met without this event.
  bool is_required(std::size_t node) const { return required_[node]; }

  // Edges between required events that form a cycle with a strict one in it.
  std::optional<std::vector<Edge>> cycle() const;

 private:
  using Key = std::tuple<EventKind, std::string, std::string, std::uint32_t>;
  static Key key_of(const EventRef& event);

  void add(const EventRef& event);
  void add_all(const Condition& condition);
  void add_ordering_edges(const Schedule& schedule, std::size_t number);
  void add_natural_edges();
  // The last occurrence up to this one that the schedule speaks of; kNone if there is none.
  std::size_t latest_up_to(EventRef event, std::uint32_t occurrence) const;
  void find_required(const Schedule& schedule);
  std::vector<std::size_t> components(const std::vector<std::vector<std::size_t>>& leaving) const;

  std::vector<EventRef> nodes_;
  std::map<Key, std::size_t> numbers_;
  std::vector<Edge> edges_;
  std::vector<bool> required_;
};

}  // namespace snag::schedule
