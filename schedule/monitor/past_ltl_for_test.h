// A small evaluator of past-time linear temporal logic, and the meaning of schedules in it. It is
// the reference for the monitor, and shares nothing with it but the tree of the language.
//
// A trace has the positions 0..n: at 0 nothing has happened yet, at i the i-th action happens.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "schedule/language/language.h"

namespace snag::schedule::ltl {

struct Happening {
  EventKind kind = EventKind::kNamed;
  std::string name;  // of kNamed
  int thread = 0;
  std::string thread_name;  // at that time
};
using Trace = std::vector<Happening>;

using Id = int;  // of a formula

// Formulas are kept once each: the parts of one stand before it.
class Formulas {
 public:
  enum class Op : std::uint8_t {
    kTrue,
    kEvent,
    kByThread,
    kNot,
    kAnd,
    kOr,
    kPreviously,
    kOnce,
    kSince
  };

  Id always() { return add({Op::kTrue, -1, -1, {}}); }
  Id never() { return negation(always()); }
  // This position is such an event; an empty thread is any.
  Id event(const EventRef& ref) {
    EventRef plain;
    plain.kind = ref.kind;
    plain.name = ref.name;
    plain.thread = ref.thread;
    return add({Op::kEvent, -1, -1, plain});
  }
  Id by_thread(int thread) { return add({Op::kByThread, thread, -1, {}}); }
  Id negation(Id a) { return add({Op::kNot, a, -1, {}}); }
  Id both(Id a, Id b) { return add({Op::kAnd, a, b, {}}); }
  Id either(Id a, Id b) { return add({Op::kOr, a, b, {}}); }
  Id previously(Id a) { return add({Op::kPreviously, a, -1, {}}); }
  Id once(Id a) { return add({Op::kOnce, a, -1, {}}); }
  Id since(Id a, Id b) { return add({Op::kSince, a, b, {}}); }

  std::size_t size() const { return nodes_.size(); }

  // The values of all formulas at a position, from those at the one before (null at position 0,
  // where `now` is null too).
  using Values = std::vector<char>;
  void step(const Values* before, const Happening* now, Values& values) const {
    values.resize(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      const auto part = [&](Id id) { return values[static_cast<std::size_t>(id)] != 0; };
      const auto earlier = [&](std::size_t id) { return before != nullptr && (*before)[id] != 0; };
      switch (node.op) {
        case Op::kTrue:
        case Op::kEvent:
        case Op::kByThread:
          values[i] = atom(node, now);
          break;
        case Op::kNot:
          values[i] = !part(node.a);
          break;
        case Op::kAnd:
          values[i] = part(node.a) && part(node.b);
          break;
        case Op::kOr:
          values[i] = part(node.a) || part(node.b);
          break;
        case Op::kPreviously:
          values[i] = earlier(static_cast<std::size_t>(node.a));
          break;
        case Op::kOnce:
          values[i] = part(node.a) || earlier(i);
          break;
        case Op::kSince:
          values[i] = part(node.b) || (part(node.a) && earlier(i));
          break;
      }
    }
  }

  // The same by the book: slow, and only to check step().
  bool by_definition(Id id, const Trace& trace, int position) const {
    const Node& node = nodes_[static_cast<std::size_t>(id)];
    const auto at = [&](Id part, int where) { return by_definition(part, trace, where); };
    switch (node.op) {
      case Op::kTrue:
      case Op::kEvent:
      case Op::kByThread:
        return atom(node, position == 0 ? nullptr : &trace[static_cast<std::size_t>(position - 1)]);
      case Op::kNot:
        return !at(node.a, position);
      case Op::kAnd:
        return at(node.a, position) && at(node.b, position);
      case Op::kOr:
        return at(node.a, position) || at(node.b, position);
      case Op::kPreviously:
        return position > 0 && at(node.a, position - 1);
      case Op::kOnce:
        for (int j = 0; j <= position; ++j)
          if (at(node.a, j)) return true;
        return false;
      case Op::kSince:
        break;
    }
    for (int j = position; j >= 0; --j) {  // b at j, and a ever since
      if (at(node.b, j)) return true;
      if (!at(node.a, j)) return false;
    }
    return false;
  }

 private:
  struct Node {
    Op op;
    int a, b;  // parts, or the thread
    EventRef ref;
  };

  static bool atom(const Node& node, const Happening* now) {
    if (node.op == Op::kTrue) return true;
    if (now == nullptr) return false;
    if (node.op == Op::kByThread) return now->thread == node.a;
    return now->kind == node.ref.kind && now->name == node.ref.name &&
           (node.ref.thread.empty() || now->thread_name == node.ref.thread);
  }

  Id add(const Node& node) {
    const auto key =
        std::make_tuple(node.op, node.a, node.b, node.ref.kind, node.ref.name, node.ref.thread);
    const auto [place, is_new] = ids_.try_emplace(key, static_cast<Id>(nodes_.size()));
    if (is_new) nodes_.push_back(node);
    return place->second;
  }

  std::vector<Node> nodes_;
  std::map<std::tuple<Op, int, int, EventKind, std::string, std::string>, Id> ids_;
};

// What a schedule says, as formulas.
class Meaning {
 public:
  struct Rule {
    Id condition;  // the left side holds now
    Id concerned;  // this position is the event on the right
    Id reached;    // that has happened
    Id open;       // the left side holds now, or may still come to hold
  };

  Meaning(const Schedule& schedule, int threads) : threads_(threads) {
    for (const Ordering& ordering : schedule.orderings) {
      const EventRef& event = ordering.event;
      const bool every = event.occurrence == EventRef::kEvery;
      rules_.push_back({meaning(ordering.condition),
                        every ? formulas_.event(event) : nth(event, event.occurrence),
                        at_least(event, every ? 1 : event.occurrence),
                        open(ordering.condition, true)});
    }
  }

  const Formulas& formulas() const { return formulas_; }
  const std::vector<Rule>& rules() const { return rules_; }

 private:
  // e has happened n times.
  Id at_least(const EventRef& event, std::uint32_t n) {
    const Id here = formulas_.event(event);
    if (n == 0) return formulas_.always();
    if (n == 1) return formulas_.once(here);
    return formulas_.once(formulas_.both(here, formulas_.previously(at_least(event, n - 1))));
  }

  // This position is the n-th e.
  Id nth(const EventRef& event, std::uint32_t n) {
    const Id before = formulas_.both(formulas_.previously(at_least(event, n - 1)),
                                     formulas_.negation(formulas_.previously(at_least(event, n))));
    return formulas_.both(formulas_.event(event), before);
  }

  Id is_blocked(int thread) {
    const Id by = formulas_.by_thread(thread);
    const auto here = [&](EventKind kind) {
      EventRef any;
      any.kind = kind;
      return formulas_.both(formulas_.event(any), by);
    };
    const Id released = formulas_.either(here(EventKind::kUnblock), here(EventKind::kEnd));
    return formulas_.since(formulas_.negation(released), here(EventKind::kBlock));
  }

  Id meaning(const Condition& condition) {
    switch (condition.op) {
      case Condition::Op::kHappened:
        return at_least(condition.event, condition.event.occurrence);
      case Condition::Op::kBlocked: {
        // Some thread executed it, as the latest or as the n-th, and is blocked.
        Id any = formulas_.never();
        const Id event = formulas_.event(condition.event);
        for (int thread = 0; thread < threads_; ++thread) {
          const Id by = formulas_.by_thread(thread);
          const Id executed =
              condition.event.has_occurrence
                  ? formulas_.once(
                        formulas_.both(nth(condition.event, condition.event.occurrence), by))
                  : formulas_.since(formulas_.negation(event), formulas_.both(event, by));
          any = formulas_.either(any, formulas_.both(executed, is_blocked(thread)));
        }
        return any;
      }
      case Condition::Op::kNot:
        return formulas_.negation(meaning(condition.parts[0]));
      case Condition::Op::kAnd:
      case Condition::Op::kOr:
        break;
    }
    Id all = meaning(condition.parts[0]);
    for (std::size_t i = 1; i < condition.parts.size(); ++i)
      all = condition.op == Condition::Op::kAnd
                ? formulas_.both(all, meaning(condition.parts[i]))
                : formulas_.either(all, meaning(condition.parts[i]));
    return all;
  }

  // Whether the condition can be true, or false, now or later: only what has happened is fixed. By
  // pushing negations down to the events.
  Id open(const Condition& condition, bool wanted) {
    switch (condition.op) {
      case Condition::Op::kHappened:
        return wanted ? formulas_.always() : formulas_.negation(meaning(condition));
      case Condition::Op::kBlocked:
        return formulas_.always();
      case Condition::Op::kNot:
        return open(condition.parts[0], !wanted);
      case Condition::Op::kAnd:
      case Condition::Op::kOr:
        break;
    }
    const bool all = (condition.op == Condition::Op::kAnd) == wanted;
    Id result = open(condition.parts[0], wanted);
    for (std::size_t i = 1; i < condition.parts.size(); ++i) {
      const Id part = open(condition.parts[i], wanted);
      result = all ? formulas_.both(result, part) : formulas_.either(result, part);
    }
    return result;
  }

  int threads_;
  Formulas formulas_;
  std::vector<Rule> rules_;
};

}  // namespace snag::schedule::ltl
