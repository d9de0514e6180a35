// Implements tool/active/predict/predict.h: candidates of the kind "race".
#include <fmt/format.h>

#include <set>
#include <tuple>

#include "tool/active/candidates/memory_words.h"
#include "tool/active/predict/predict.h"

namespace snag::active {
namespace {

class RacePredictor {
 public:
  RacePredictor(const Observation& observation, PlaceNames& names)
      : observation_(observation), names_(names) {}

  void follow(std::span<const WatchEvent> run) {
    history::StartJoinOrder order;
    AccessedWords words;
    for (const WatchEvent& event : run) {
      follow_threads(order, event);
      if (event.kind == WatchKind::kFresh) words.forget(event, [](const auto&) {});
      if (event.kind != WatchKind::kAccess && event.kind != WatchKind::kFree) continue;
      words.access(event, [&](const WatchEvent& earlier) { meet(order, earlier, event); });
    }
  }

  std::vector<Candidate> take() { return std::move(result_); }

 private:
  void meet(const history::StartJoinOrder& order, const WatchEvent& earlier,
            const WatchEvent& later) {
    if (earlier.thread == later.thread) return;
    if (((earlier.flags | later.flags) & kWatchWrite) == 0) return;
    if ((earlier.flags & later.flags & kWatchAtomic) != 0) return;
    const auto key = std::minmax(earlier.place, later.place);
    if (known_.contains(key)) return;
    if (order.is_before(earlier.thread, earlier.time, later.thread, later.time)) return;
    if (exclude_each_other(observation_.locks(earlier.locks), observation_.locks(later.locks)))
      return;
    known_.insert(key);
    add(earlier, later);
  }

  void add(const WatchEvent& earlier, const WatchEvent& later) {
    const WatchEvent* both[] = {&earlier, &later};
    Candidate candidate;
    candidate.kind = Kind::kRace;
    for (const WatchEvent* event : both) {
      const NamedPlace& place = names_.place(event->place);
      // Races inside libraries that the user's code has not called are not the user's.
      if (place.code.empty() || !place.is_users) return;
      candidate.sides.push_back({{place.code}, access_text(*event, names_)});
    }
    if (candidate.sides[1].text < candidate.sides[0].text)
      std::swap(candidate.sides[0], candidate.sides[1]);
    candidate.title = fmt::format("one thread {}, and another one {}", candidate.sides[0].text,
                                  candidate.sides[1].text);
    candidate.variable = names_.variable_part(later.address).variable;
    candidate.memory = names_.variable(later.address, later.size);
    // A side without a lock makes it more likely than two different locks. The thread that frees
    // memory usually knows by other means that it is the last user.
    const bool is_free = earlier.kind == WatchKind::kFree || later.kind == WatchKind::kFree;
    candidate.promise = is_free ? 0 : earlier.locks == 0 || later.locks == 0 ? 2 : 1;
    result_.push_back(std::move(candidate));
  }

  const Observation& observation_;
  PlaceNames& names_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known_;
  std::vector<Candidate> result_;
};

}  // namespace

std::vector<Candidate> predict_race(const PredictInput& input) {
  RacePredictor predictor(input.observation, input.names);
  for (const auto run : input.observation.runs()) predictor.follow(run);
  return predictor.take();
}

}  // namespace snag::active
