#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "active/check_sites.h"
#include "active/predict.h"
#include "active/words.h"

namespace snag::active {
namespace {

// Lines before a check in which what guards it is looked for, where the check itself reads nothing
// that others write: assert(false), unreachable, or a check of a value that was read before.
constexpr int kGuardLines = 15;

// A read of memory that others write, or a write to it.
struct SharedAccess {
  std::uint32_t place = 0;
  std::uint64_t word = 0;
  std::uint64_t run = 0;
  bool writes = false, reads = false;
  Tid thread = 0;
  std::string variable;
};

class AssertionPredictor {
 public:
  AssertionPredictor(const Observation& observation, PlaceNames& names)
      : observation_(observation), names_(names) {}

  void follow(std::span<const WatchEvent> run) {
    ++run_;
    StartJoinOrder order;
    AccessedWords words;
    for (const WatchEvent& event : run) {
      order.follow(event);
      if (event.kind == WatchKind::kFresh) words.forget(event);
      if (event.kind != WatchKind::kAccess) continue;
      words.access(event, [&](const WatchEvent& earlier) {
        if (earlier.thread == event.thread || ((earlier.flags | event.flags) & kWatchWrite) == 0)
          return;
        if (order.is_before(earlier.thread, earlier.time, event.thread, event.time)) return;
        note(earlier);
        note(event);
      });
    }
  }

  std::vector<Candidate> candidates(const std::vector<CheckSite>& sites) {
    std::vector<Candidate> result;
    for (const CheckSite& site : sites) {
      std::set<std::uint32_t> reads = reads_at(site.frame, site.frame.line, site.frame.line);
      if (reads.empty()) reads = nearest_reads(site.frame);
      if (reads.empty()) continue;
      if (auto candidate = make(site, reads)) result.push_back(std::move(*candidate));
    }
    return result;
  }

 private:
  void note(const WatchEvent& event) {
    if (!known_.insert({run_, event.place, event.address >> 3, event.thread}).second) return;
    accesses_.push_back({event.place, event.address >> 3, run_, (event.flags & kWatchWrite) != 0,
                         (event.flags & kWatchRead) != 0, event.thread,
                         names_.variable(event.address, event.size)});
  }

  // Reads in that function, or in functions that it calls, from these lines of it.
  std::set<std::uint32_t> reads_at(const engine::Frame& where, int from, int to) {
    std::set<std::uint32_t> result;
    for (const SharedAccess& access : accesses_) {
      if (access.reads && line_in(where, access.place, from, to) != 0) result.insert(access.place);
    }
    return result;
  }

  int line_in(const engine::Frame& where, std::uint32_t place, int from, int to) {
    for (const engine::Frame& frame : names_.place(place).frames) {
      if (frame.function == where.function && frame.file == where.file && frame.line >= from &&
          frame.line <= to)
        return frame.line;
    }
    return 0;
  }

  std::set<std::uint32_t> nearest_reads(const engine::Frame& where) {
    std::set<int> lines;
    for (const SharedAccess& access : accesses_) {
      if (!access.reads) continue;
      const int line = line_in(where, access.place, where.line - kGuardLines, where.line);
      if (line != 0) lines.insert(line);
    }
    // The last few: a guard may compare several variables.
    std::set<std::uint32_t> result;
    int taken = 0;
    for (auto line = lines.rbegin(); line != lines.rend() && taken < 3; ++line, ++taken)
      result.merge(reads_at(where, *line, *line));
    return result;
  }

  std::optional<Candidate> make(const CheckSite& site, const std::set<std::uint32_t>& reads) {
    Candidate candidate;
    candidate.kind = Kind::kAssertion;
    candidate.location =
        fmt::format("{}:{}", engine::base_name(site.frame.file), site.frame.line);
    candidate.sides.resize(2);
    std::set<std::string> variables, write_places;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::set<Tid>> words;  // by run and word
    for (const SharedAccess& access : accesses_) {
      if (!access.reads || !reads.contains(access.place)) continue;
      words[{access.run, access.word}].insert(access.thread);
      if (!access.variable.empty()) variables.insert(access.variable);
    }
    for (const std::uint32_t place : reads)
      add_place(candidate.sides[0], names_.place(place).code);
    for (const SharedAccess& access : accesses_) {
      if (!access.writes) continue;
      const auto readers = words.find({access.run, access.word});
      if (readers == words.end() ||
          (readers->second.size() == 1 && readers->second.contains(access.thread)))
        continue;
      add_place(candidate.sides[1], names_.place(access.place).code);
      write_places.insert(names_.text(access.place));
    }
    if (candidate.sides[1].places.empty()) return std::nullopt;
    const std::string names = variables.empty()
                                  ? std::string("what others write")
                                  : fmt::format("{}", fmt::join(variables, ", "));
    candidate.sides[0].text =
        fmt::format("checks {} by {} at {}", names, site.what, frame_text(site.frame));
    candidate.sides[1].text = fmt::format("writes it at {}", fmt::join(write_places, ", "));
    candidate.title = fmt::format("{}, and another thread {}", candidate.sides[0].text,
                                  candidate.sides[1].text);
    candidate.promise = 20;
    return candidate;
  }

  static void add_place(Side& side, const CodePlace& place) {
    if (place.empty() || side.places.size() >= kMaxDirectedPlaces) return;
    if (std::find(side.places.begin(), side.places.end(), place) == side.places.end())
      side.places.push_back(place);
  }

  const Observation& observation_;
  PlaceNames& names_;
  std::uint64_t run_ = 0;
  std::set<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t, Tid>> known_;
  std::vector<SharedAccess> accesses_;
};

}  // namespace

std::vector<Candidate> predict_assertions(const Observation& observation, PlaceNames& names,
                                          const std::string& program,
                                          engine::Symbolizer& symbolizer) {
  const auto sites = find_check_sites(program, symbolizer);
  if (!sites || sites->empty()) return {};
  AssertionPredictor predictor(observation, names);
  for (const auto run : observation.runs()) predictor.follow(run);
  return predictor.candidates(*sites);
}

}  // namespace snag::active
