// Schedules and traces for tests, drawn from a seed.
#pragma once

#include <array>
#include <random>

#include "schedule/language/language.h"

namespace snag::schedule {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
  bool percent(int chance) { return below(100) < chance; }

  static constexpr std::array<const char*, 3> kNames = {"a", "b", "x.c"};
  static constexpr std::array<const char*, 2> kThreads = {"t", "u"};

  EventRef event(bool right) {
    EventRef event;
    if (percent(30)) {
      constexpr std::array kKinds = {EventKind::kStart, EventKind::kEnd, EventKind::kBlock,
                                     EventKind::kUnblock};
      event.kind = kKinds[static_cast<std::size_t>(below(4))];
    } else {
      event.name = kNames[static_cast<std::size_t>(below(3))];
    }
    if (event.kind != EventKind::kNamed || percent(30))
      event.thread = kThreads[static_cast<std::size_t>(below(2))];
    if (event.kind != EventKind::kStart && event.kind != EventKind::kEnd && percent(30)) {
      event.has_occurrence = true;
      event.occurrence = static_cast<std::uint32_t>(1 + below(3));
      if (right && percent(40)) event.occurrence = EventRef::kEvery;
    }
    return event;
  }

  Condition condition(int depth) {
    Condition result;
    const int choice = depth == 0 ? below(50) : below(100);
    if (choice < 50) {
      result.event = event(false);
      if (choice < 18 && result.event.kind != EventKind::kEnd) result.op = Condition::Op::kBlocked;
    } else if (choice < 68) {
      result.op = Condition::Op::kNot;
      result.parts.push_back(condition(depth - 1));
    } else {
      result.op = choice < 84 ? Condition::Op::kAnd : Condition::Op::kOr;
      for (int parts = 2 + below(2); parts > 0; --parts)
        result.parts.push_back(condition(depth - 1));
    }
    return result;
  }

  Schedule schedule() {
    Schedule result;
    for (int orderings = percent(2) ? 0 : 1 + below(3); orderings > 0; --orderings)
      result.orderings.push_back({condition(2), event(true), 0});
    return result;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace snag::schedule
