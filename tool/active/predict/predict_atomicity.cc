// Implements tool/active/predict/predict.h: candidates of the kind "atomicity".
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "tool/active/candidates/memory_words.h"
#include "tool/active/predict/predict.h"

namespace snag::active {
namespace {

// How many lines apart two accesses of one function may be to count as one piece of work.
constexpr int kLinesApart = 40;
constexpr int kLinesApartOfTwo = 12;  // of two variables
// How many earlier accesses of a thread an access can belong together with.
constexpr std::size_t kWindow = 4;
constexpr std::size_t kUsesOfTwo = 12;

bool reads(std::uint8_t flags) { return (flags & kWatchRead) != 0; }
bool writes(std::uint8_t flags) { return (flags & kWatchWrite) != 0; }

// Whether first, between, second have an effect that no serial order of the two threads has: R-W-R,
// W-W-R, R-W-W and W-R-W.
bool is_unserialisable(std::uint8_t first, std::uint8_t between, std::uint8_t second) {
  if (writes(between) && reads(second)) return true;
  if (writes(between) && reads(first) && writes(second)) return true;
  return reads(between) && writes(first) && writes(second);
}

bool is_update(std::uint8_t flags) {
  return (flags & kWatchAtomic) != 0 && reads(flags) && writes(flags);
}

std::string letters(std::uint8_t flags) {
  return std::string(reads(flags) ? "R" : "") + (writes(flags) ? "W" : "");
}

class AtomicityPredictor {
 public:
  AtomicityPredictor(const Observation& observation, PlaceNames& names)
      : observation_(observation), names_(names) {}

  void follow(std::span<const WatchEvent> run) {
    order_ = {};
    for (const WatchEvent& event : run) {
      follow_threads(order_, event);
      if (event.kind == WatchKind::kAccess) flags_[event.place] |= event.flags;
    }
    AccessedWords words;
    const auto judge_all = [&] {
      for (const auto& [word, accesses] : words.words()) judge(accesses);
    };
    for (const WatchEvent& event : run) {
      if (event.kind == WatchKind::kAccess) words.access(event, [](const WatchEvent&) {});
      if (event.kind != WatchKind::kFresh) continue;
      words.forget(event, [&](const std::vector<const WatchEvent*>& all) { judge(all); });
    }
    judge_all();
    follow_pairs(run, words);
  }

  std::vector<Candidate> take() { return std::move(result_); }

 private:
  bool are_ordered(const WatchEvent& a, const WatchEvent& b) const {
    return order_.is_before(a.thread, a.time, b.thread, b.time) ||
           order_.is_before(b.thread, b.time, a.thread, a.time);
  }

  // Whether the second place comes after the first one in the text of a function that contains
  // both, or that both are called from.
  bool belong_together(std::uint32_t first, std::uint32_t second, int lines_apart) {
    if (first == second) return false;
    const auto [entry, is_new] = together_.try_emplace({first, second, lines_apart}, false);
    if (!is_new) return entry->second;
    const NamedPlace& a = names_.place(first);
    const NamedPlace& b = names_.place(second);
    if (!a.is_users || !b.is_users) return false;
    for (const binary::Frame& x : a.frames) {
      if (!binary::is_user_frame(x)) continue;
      for (const binary::Frame& y : b.frames) {
        if (x.function != y.function || x.file != y.file || x.function_line != y.function_line)
          continue;
        return entry->second = x.line <= y.line && y.line - x.line <= lines_apart;
      }
    }
    return false;
  }

  void judge(const std::vector<const WatchEvent*>& accesses) {
    for (const WatchEvent* second : accesses) {
      if (second->previous == 0) continue;
      const auto first_flags = flags_.find(second->previous);
      if (first_flags == flags_.end()) continue;
      for (const WatchEvent* between : accesses) {
        if (!AccessedWords::overlap(*between, *second) ||
            !is_unserialisable(first_flags->second, between->flags, second->flags))
          continue;
        if (is_update(first_flags->second) && is_update(between->flags) && is_update(second->flags))
          continue;  // a counter
        const auto key = std::make_tuple(second->previous, second->place, between->place);
        if (known_.contains(key)) continue;
        if (!belong_together(second->previous, second->place, kLinesApart)) continue;
        if (between->thread == second->thread ? !has_twin(*second, accesses)
                                              : are_ordered(*second, *between))
          continue;
        if (exclude_each_other(observation_.locks(second->locks),
                               observation_.locks(between->locks), second->kept))
          continue;
        known_.insert(key);
        add(*second, first_flags->second, *between);
      }
    }
  }

  // Whether another thread began with the same access at the same time: then it could have
  // continued as this one did, although it did not.
  bool has_twin(const WatchEvent& second, const std::vector<const WatchEvent*>& accesses) {
    const CodePlace& first = names_.place(second.previous).code;
    return std::any_of(accesses.begin(), accesses.end(), [&](const WatchEvent* other) {
      return other->thread != second.thread && names_.place(other->place).code == first &&
             !are_ordered(*other, second);
    });
  }

  Side side(std::uint32_t place, std::uint8_t flags, const std::string& variable) {
    const char* verb = writes(flags) ? (reads(flags) ? "updates" : "writes") : "reads";
    return {{names_.place(place).code},
            fmt::format("{} {} at {}", verb, variable.empty() ? "memory" : variable,
                        names_.text(place))};
  }

  void add(const WatchEvent& second, std::uint8_t first_flags, const WatchEvent& between) {
    if (!names_.place(between.place).is_users) return;
    const std::string& variable = names_.variable(second.address, second.size);
    Candidate candidate;
    candidate.kind = Kind::kAtomicity;
    candidate.sides = {side(second.previous, first_flags, variable),
                       side(second.place, second.flags, variable),
                       side(between.place, between.flags, variable)};
    candidate.title =
        fmt::format("one thread {} and then {}, and in between another one {} ({}-{}-{})",
                    candidate.sides[0].text, candidate.sides[1].text, candidate.sides[2].text,
                    letters(first_flags), letters(between.flags), letters(second.flags));
    // A variable that is updated by one operation was usually thought about.
    if (is_update(first_flags) || is_update(second.flags) || is_update(between.flags))
      candidate.promise = -2;
    result_.push_back(std::move(candidate));
  }

  // ---- Two variables. ----

  struct Use {
    const WatchEvent *first, *second;
  };
  using Uses = std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Use>>;

  void follow_pairs(std::span<const WatchEvent> run, const AccessedWords& words) {
    const auto is_shared = [&](const WatchEvent& event) {
      const auto found = words.words().find(event.address >> 3);
      if (found == words.words().end()) return false;
      return std::any_of(found->second.begin(), found->second.end(), [&](const WatchEvent* other) {
        return other->thread != event.thread && writes(other->flags | event.flags);
      });
    };
    std::map<Tid, std::deque<const WatchEvent*>> windows;
    Uses uses;
    for (const WatchEvent& event : run) {
      if (event.kind != WatchKind::kAccess || !is_shared(event)) continue;
      std::deque<const WatchEvent*>& window = windows[event.thread];
      for (const WatchEvent* before : window) {
        if (AccessedWords::overlap(*before, event)) continue;
        if (!belong_together(before->place, event.place, kLinesApartOfTwo)) continue;
        std::vector<Use>& all = uses[std::minmax(before->address, event.address)];
        const bool is_known = std::any_of(all.begin(), all.end(), [&](const Use& use) {
          return use.first->thread == event.thread && use.first->place == before->place &&
                 use.second->place == event.place;
        });
        if (!is_known && all.size() < kUsesOfTwo) all.push_back({before, &event});
      }
      window.push_back(&event);
      if (window.size() > kWindow) window.pop_front();
    }
    for (const auto& [key, all] : uses) {
      for (const Use& outer : all) {
        for (const Use& inner : all) judge_two(outer, inner);
      }
    }
  }

  // All of `inner` between the two of `outer`.
  void judge_two(const Use& outer, const Use& inner) {
    if (outer.first->thread == inner.first->thread) return;
    const bool same_direction = outer.first->address == inner.first->address;
    const WatchEvent* with_first = same_direction ? inner.first : inner.second;
    const WatchEvent* with_second = same_direction ? inner.second : inner.first;
    if (!writes(outer.first->flags | with_first->flags) ||
        !writes(outer.second->flags | with_second->flags))
      return;
    const auto key = std::make_tuple(outer.first->place, outer.second->place, inner.first->place,
                                     inner.second->place);
    if (known_two_.contains(key) || are_ordered(*outer.first, *inner.first)) return;
    // Locks that the outer thread holds all the time.
    if (outer.first->section == outer.second->section) {
      const auto& kept = observation_.locks(outer.second->locks);
      if (exclude_each_other(kept, observation_.locks(inner.first->locks)) ||
          exclude_each_other(kept, observation_.locks(inner.second->locks)))
        return;
    }
    known_two_.insert(key);
    Candidate candidate;
    candidate.kind = Kind::kAtomicity;
    candidate.any_memory = true;
    for (const WatchEvent* event : {outer.first, outer.second, inner.first, inner.second}) {
      if (!names_.place(event->place).is_users) return;
      candidate.sides.push_back(
          side(event->place, event->flags, names_.variable(event->address, event->size)));
    }
    candidate.title = fmt::format("one thread {} and then {}, and in between another one {} and {}",
                                  candidate.sides[0].text, candidate.sides[1].text,
                                  candidate.sides[2].text, candidate.sides[3].text);
    const bool has_update = is_update(outer.first->flags) || is_update(outer.second->flags) ||
                            is_update(inner.first->flags) || is_update(inner.second->flags);
    candidate.promise = has_update ? -3 : -1;
    result_.push_back(std::move(candidate));
  }

  const Observation& observation_;
  PlaceNames& names_;
  history::StartJoinOrder order_;
  std::unordered_map<std::uint32_t, std::uint8_t> flags_;  // by place
  std::map<std::tuple<std::uint32_t, std::uint32_t, int>, bool> together_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> known_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> known_two_;
  std::vector<Candidate> result_;
};

}  // namespace

std::vector<Candidate> predict_atomicity(const PredictInput& input) {
  AtomicityPredictor predictor(input.observation, input.names);
  for (const auto run : input.observation.runs()) predictor.follow(run);
  return predictor.take();
}

}  // namespace snag::active
