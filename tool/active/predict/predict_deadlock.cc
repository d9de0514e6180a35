// Implements tool/active/predict/predict.h: candidates of the kind "deadlock".
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tool/active/predict/predict.h"

namespace snag::active {
namespace {

// A thread wants a lock and holds others.
struct Dependency {
  Tid thread = 0;
  std::uint32_t time = 0;
  std::uint64_t wanted = 0;  // number of the lock
  bool shared = false;       // wants it as a reader
  const std::vector<WatchedLock>* held = nullptr;
  std::uint32_t place = 0;
};

class DeadlockPredictor {
 public:
  DeadlockPredictor(const Observation& observation, PlaceNames& names, std::uint32_t longest)
      : observation_(observation), names_(names), longest_(std::min(longest, kMaxDirectedSides)) {}

  void follow(std::span<const WatchEvent> run) {
    order_ = {};
    all_.clear();
    std::set<std::tuple<Tid, std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t>> known;
    for (const WatchEvent& event : run) {
      follow_threads(order_, event);
      if (event.kind != WatchKind::kWant) continue;
      if (!known.insert({event.thread, event.time, event.address, event.locks, event.place}).second)
        continue;
      all_.push_back({event.thread, event.time, event.address, (event.flags & kWatchShared) != 0,
                      &observation_.locks(event.locks), event.place});
    }
    budget_ = kBudget;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      chain_ = {i};
      extend();
    }
  }

  std::vector<Candidate> take() { return std::move(result_); }

 private:
  // Steps of the search in one run: enough for thousands of nested locks, and never long.
  static constexpr std::uint64_t kBudget = 20'000'000;

  static bool waits_for(const Dependency& a, const Dependency& b) {
    return std::any_of(b.held->begin(), b.held->end(), [&](const WatchedLock& lock) {
      return lock.number == a.wanted && !(a.shared && lock.shared);
    });
  }

  bool may_meet(const Dependency& a, const Dependency& b) const {
    return a.thread != b.thread && !exclude_each_other(*a.held, *b.held) &&
           !order_.is_before(a.thread, a.time, b.thread, b.time) &&
           !order_.is_before(b.thread, b.time, a.thread, a.time);
  }

  void extend() {
    const Dependency& last = all_[chain_.back()];
    // Each cycle once: it begins with its lowest thread.
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (budget_ == 0) return;
      --budget_;
      const Dependency& next = all_[i];
      if (next.thread <= all_[chain_.front()].thread || !waits_for(last, next)) continue;
      if (!std::all_of(chain_.begin(), chain_.end(),
                       [&](std::size_t k) { return may_meet(all_[k], next); }))
        continue;
      chain_.push_back(i);
      if (waits_for(next, all_[chain_.front()]))
        add();
      else if (chain_.size() < longest_)
        extend();
      chain_.pop_back();
    }
  }

  std::string lock_text(std::uint64_t number) const {
    for (const Dependency& dependency : all_) {
      for (const WatchedLock& lock : *dependency.held) {
        if (lock.number != number) continue;
        const std::string& name = names_.variable(lock.address, 1);
        return name.empty() ? "a lock" : name;
      }
    }
    return "a lock";
  }

  void add() {
    Candidate candidate;
    candidate.kind = Kind::kDeadlock;
    for (std::size_t i = 0; i < chain_.size(); ++i) {
      const Dependency& side = all_[chain_[i]];
      const Dependency& before = all_[chain_[(i + chain_.size() - 1) % chain_.size()]];
      const NamedPlace& place = names_.place(side.place);
      if (place.code.empty()) return;
      std::string taken_at;
      for (const WatchedLock& lock : *side.held) {
        if (lock.number == before.wanted) taken_at = names_.text(lock.taken_at);
      }
      candidate.sides.push_back(
          {{place.code},
           fmt::format("holds {} (taken at {}) and wants {} at {}", lock_text(before.wanted),
                       taken_at, lock_text(side.wanted), names_.text(side.place))});
    }
    // The same cycle, wherever it begins.
    std::rotate(candidate.sides.begin(),
                std::min_element(candidate.sides.begin(), candidate.sides.end(),
                                 [](const Side& a, const Side& b) { return a.text < b.text; }),
                candidate.sides.end());
    for (const Side& side : candidate.sides) {
      candidate.title += candidate.title.empty() ? "one thread " : ", another one ";
      candidate.title += side.text;
    }
    // Shorter cycles first; the longest (kMaxDirectedSides) still comes before any race.
    candidate.promise = 11 - static_cast<int>(candidate.sides.size());
    if (known_.insert(candidate.key()).second) result_.push_back(std::move(candidate));
  }

  const Observation& observation_;
  PlaceNames& names_;
  std::uint32_t longest_;
  history::StartJoinOrder order_;
  std::vector<Dependency> all_;
  std::vector<std::size_t> chain_;
  std::uint64_t budget_ = 0;
  std::set<std::string> known_;
  std::vector<Candidate> result_;
};

}  // namespace

std::vector<Candidate> predict_deadlock(const PredictInput& input) {
  DeadlockPredictor predictor(input.observation, input.names, input.longest_cycle);
  for (const auto run : input.observation.runs()) predictor.follow(run);
  return predictor.take();
}

}  // namespace snag::active
