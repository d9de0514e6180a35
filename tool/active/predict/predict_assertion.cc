// Implements tool/active/predict/predict.h: candidates of the kind "assertion".
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tool/active/candidates/memory_words.h"
#include "tool/active/predict/predict.h"
#include "tool/binary/check_sites.h"
#include "tool/binary/place.h"

namespace snag::active {
namespace {

// How many lines before a check to search for what guards it, if the check itself reads nothing
// that others write: assert(false), unreachable, or a check of a value that was read before.
constexpr int kGuardLines = 15;

// An access to memory that several threads use.
struct SharedAccess {
  std::uint32_t place = 0;
  std::uint32_t stop = 0;  // where to hold the thread before it, if not at the access itself
  std::uint64_t word = 0;  // a number for each word of memory, until the memory is reused
  std::uint64_t begin = 0, end = 0;
  bool writes = false, reads = false;
  std::string variable;
};

class AssertionPredictor {
 public:
  AssertionPredictor(const Observation& observation, PlaceNames& names)
      : observation_(observation), names_(names) {}

  void follow(std::span<const WatchEvent> run) {
    order_ = {};
    AccessedWords words;
    for (const WatchEvent& event : run) {
      follow_threads(order_, event);
      if (event.kind == WatchKind::kAccess) words.access(event, [](const WatchEvent&) {});
      if (event.kind != WatchKind::kFresh) continue;
      words.forget(event, [&](const std::vector<const WatchEvent*>& accesses) { note(accesses); });
    }
    for (const auto& [word, accesses] : words.words()) note(accesses);
  }

  std::vector<Candidate> candidates(const std::vector<binary::CheckSite>& sites) {
    std::vector<Candidate> result;
    const auto add = [&](const binary::CheckSite& site, const std::set<std::uint32_t>& reads,
                         const char* also) {
      if (reads.empty()) return;
      if (auto candidate = make(site, reads, also)) result.push_back(std::move(*candidate));
    };
    for (const binary::CheckSite& site : sites) {
      std::set<std::uint32_t> reads = reads_at(site.frame, site.frame.line, site.frame.line, true);
      add(site, reads, "");
      const std::size_t of_the_check = reads.size();
      reads.merge(nearest_reads(site.frame));
      if (reads.size() > of_the_check) add(site, reads, " and what comes before it");
    }
    return result;
  }

 private:
  // All accesses to one word, if threads could interfere there.
  void note(const std::vector<const WatchEvent*>& accesses) {
    const auto may_meet = [&](const WatchEvent& a, const WatchEvent& b) {
      return a.thread != b.thread && ((a.flags | b.flags) & kWatchWrite) != 0 &&
             AccessedWords::overlap(a, b) &&
             !order_.is_before(a.thread, a.time, b.thread, b.time) &&
             !order_.is_before(b.thread, b.time, a.thread, a.time);
    };
    const bool is_shared = std::any_of(accesses.begin(), accesses.end(), [&](const WatchEvent* a) {
      return std::any_of(accesses.begin(), accesses.end(),
                         [&](const WatchEvent* b) { return may_meet(*a, *b); });
    });
    if (!is_shared) return;
    ++memory_;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> known;
    for (const WatchEvent* event : accesses) {
      const std::uint32_t stop = stop_before(*event, accesses);
      if (!known.insert({event->place, stop, event->address}).second) continue;
      accesses_.push_back({event->place, stop, memory_, event->address,
                           event->address + event->size, (event->flags & kWatchWrite) != 0,
                           (event->flags & kWatchRead) != 0,
                           names_.variable(event->address, event->size)});
    }
  }

  // A thread that waits at an access while it holds a lock that the others need would wait in vain:
  // it has to wait before it takes the lock.
  std::uint32_t stop_before(const WatchEvent& event,
                            const std::vector<const WatchEvent*>& accesses) const {
    for (const WatchedLock& lock : observation_.locks(event.locks)) {
      for (const WatchEvent* other : accesses) {
        if (other->thread == event.thread) continue;
        for (const WatchedLock& same : observation_.locks(other->locks)) {
          if (same.number == lock.number) return lock.taken_at;
        }
      }
    }
    return event.place;
  }

  // Reads in that function, or in functions that it calls from these lines. `also_updates`:
  // including operations that also write.
  std::set<std::uint32_t> reads_at(const binary::Frame& where, int from, int to,
                                   bool also_updates) {
    std::set<std::uint32_t> result;
    for (const SharedAccess& access : accesses_) {
      if (access.reads && (also_updates || !access.writes) &&
          line_in(where, access.place, from, to) != 0)
        result.insert(access.place);
    }
    return result;
  }

  int line_in(const binary::Frame& where, std::uint32_t place, int from, int to) {
    for (const binary::Frame& frame : names_.place(place).frames) {
      if (frame.function == where.function && frame.file == where.file && frame.line >= from &&
          frame.line <= to)
        return frame.line;
    }
    return 0;
  }

  std::set<std::uint32_t> nearest_reads(const binary::Frame& where) {
    std::set<int> lines;
    for (const SharedAccess& access : accesses_) {
      if (!access.reads || access.writes) continue;
      const int line = line_in(where, access.place, where.line - kGuardLines, where.line);
      if (line != 0) lines.insert(line);
    }
    // The last few: a guard may compare several variables.
    std::set<std::uint32_t> result;
    int taken = 0;
    for (auto line = lines.rbegin(); line != lines.rend() && taken < 3; ++line, ++taken)
      result.merge(reads_at(where, *line, *line, false));
    return result;
  }

  std::optional<Candidate> make(const binary::CheckSite& site, const std::set<std::uint32_t>& reads,
                                const char* also) {
    Candidate candidate;
    candidate.kind = Kind::kAssertion;
    candidate.is_counted = site.is_counted;
    candidate.location = binary::place_text(&site.frame);
    candidate.sides.resize(2);
    std::set<std::string> variables, write_places;
    std::vector<const SharedAccess*> read;
    for (const SharedAccess& access : accesses_) {
      if (!access.reads || !reads.contains(access.place)) continue;
      read.push_back(&access);
      if (!access.variable.empty()) variables.insert(access.variable);
      add_place(candidate.sides[0], names_.place(access.stop).code);
    }
    for (const SharedAccess& access : accesses_) {
      const bool is_read = std::any_of(read.begin(), read.end(), [&](const SharedAccess* by) {
        return by->word == access.word && by->begin < access.end && access.begin < by->end;
      });
      if (!access.writes || !is_read) continue;
      add_place(candidate.sides[1], names_.place(access.stop).code);
      write_places.insert(names_.text(access.place));
    }
    if (candidate.sides[1].places.empty()) return std::nullopt;
    const std::string names = variables.empty() ? std::string("what others write")
                                                : fmt::format("{}", fmt::join(variables, ", "));
    candidate.sides[0].text = fmt::format("checks {} by {} at {}{}", names, site.what,
                                          binary::place_in_function(&site.frame), also);
    candidate.sides[1].text = fmt::format("writes it at {}", fmt::join(write_places, ", "));
    candidate.title = fmt::format("one thread {}, and another one {}", candidate.sides[0].text,
                                  candidate.sides[1].text);
    candidate.promise = 20 - static_cast<int>(std::min<std::size_t>(reads.size(), 9));
    return candidate;
  }

  static void add_place(Side& side, const CodePlace& place) {
    if (place.empty() || side.places.size() >= kMaxDirectedPlaces) return;
    if (std::find(side.places.begin(), side.places.end(), place) == side.places.end())
      side.places.push_back(place);
  }

  const Observation& observation_;
  PlaceNames& names_;
  history::StartJoinOrder order_;
  std::uint64_t memory_ = 0;
  std::vector<SharedAccess> accesses_;
};

}  // namespace

std::vector<Candidate> predict_assertion(const PredictInput& input) {
  const auto sites = binary::find_check_sites(input.program, input.names.symbolizer());
  if (!sites || sites->empty()) return {};
  AssertionPredictor predictor(input.observation, input.names);
  for (const auto run : input.observation.runs()) predictor.follow(run);
  return predictor.candidates(*sites);
}

}  // namespace snag::active
