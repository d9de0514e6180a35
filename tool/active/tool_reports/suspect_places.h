// Finds the lines of another tool's report in the program. The report is about another build of the
// same source: addresses mean nothing, and the debug information may have other lines and columns.
//
// The search covers what was watched and all code of the program: steered runs may execute what the
// watched runs did not.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tool/active/candidates/memory_part.h"
#include "tool/active/candidates/place_names.h"
#include "tool/active/candidates/watched_run.h"
#include "tool/active/tool_reports/tool_report.h"
#include "tool/binary/symbolizer.h"

namespace snag::active {

struct Located {
  std::vector<CodePlace> places;
  std::string text;     // "writes left at tickets.cc:10 in Buy"
  std::string problem;  // why nothing was found
};

// What a race entry may mean: one race, or several on different variables if it does not say which.
struct LocatedRace {
  Located one, other;
  std::string variable;  // as MemoryPart has it; empty: not known
  std::string memory;    // as a person would write it, if it was watched
};
struct LocatedRaces {
  std::vector<LocatedRace> races;
  std::string problem;  // why nothing was found
};

class ReportPlaces {
 public:
  ReportPlaces(const Observation& observation, PlaceNames& names, const binary::ModuleMap& modules,
               binary::Symbolizer& symbolizer);

  LocatedRaces race(const ReportEntry& entry);
  Located lock(const ReportSide& side);

 private:
  enum class What { kAccess, kFree, kLock, kOther };
  struct Site {
    What what = What::kOther;
    CodePlace code;
    bool reads = false, writes = false;
    std::uint32_t size = 0;
    std::uint32_t place = 0;            // of the observation
    const WatchEvent* event = nullptr;  // and one that happened there
    std::vector<MemoryPart> memory;     // all on the same variable, or all on none
    std::vector<binary::Frame> frames;
    std::size_t shown = 0;

    // The variable; nothing if it was not watched.
    std::optional<std::string> variable() const {
      return event != nullptr ? std::optional(memory.front().variable) : std::nullopt;
    }
  };
  // How likely two accesses to the same memory can coincide, judged by the runs watched.
  enum class Chance { kOneThread, kLocked, kFree };
  struct Found {
    std::vector<std::size_t> sites;
    std::string problem;
    Chance chance = Chance::kFree;  // of others()
  };
  // A user's frame of a site.
  struct Position {
    std::size_t site = 0, frame = 0;
  };
  using Lines = std::map<int, std::vector<Position>>;

  void add_watched();
  void add_watched(const WatchEvent& event, const MemoryPart& memory);
  void add_code(std::uint32_t module, const std::string& path);
  // Its number; nothing if the site is not in the user's code.
  std::optional<std::size_t> add(Site site);
  void find_conflicts();
  std::vector<const Lines*> files_like(const std::string& file) const;
  Found find(const ReportSide& side, What what, const MemoryPart& memory) const;
  // Accesses by others to the memory of these.
  Found others(const std::vector<std::size_t>& sites);
  // Those that use the variable, or may do so.
  std::vector<std::size_t> of_variable(const std::vector<std::size_t>& sites,
                                       const std::string& variable) const;
  // The variables that these use; empty if one may use any.
  std::set<std::string> variables(const std::vector<std::size_t>& sites) const;
  // The best of those at most `distance` lines from the line of `frame`, the report's frame there.
  std::vector<std::size_t> best(const std::vector<const Lines*>& files, int distance,
                                const ReportSide& side, const ReportFrame& frame, What what,
                                const MemoryPart& memory) const;
  int score(const Position& position, const ReportSide& side, const ReportFrame& frame) const;
  Located located(const std::vector<std::size_t>& sites);
  std::string text_of(const Site& site);

  const Observation& observation_;
  PlaceNames& names_;
  binary::Symbolizer& symbolizer_;
  std::vector<Site> sites_;
  std::set<CodePlace> codes_;
  // The accesses that were watched, by place, flags, size and variable.
  std::map<std::tuple<std::uint32_t, std::uint8_t, std::uint32_t, std::string>,
           std::optional<std::size_t>>
      watched_;
  // By the file's base name, and then by its whole path.
  std::unordered_map<std::string, std::map<std::string, Lines>> files_;
  bool has_conflicts_ = false;
  // By place: others that accessed the same memory.
  std::unordered_map<std::uint32_t, std::map<std::uint32_t, Chance>> conflicts_;
};

// How many components of the paths are equal, from the last one on: 2 for "/a/src/x.cc" and
// "src/x.cc".
std::size_t common_suffix(const std::string& a, const std::string& b);

}  // namespace snag::active
