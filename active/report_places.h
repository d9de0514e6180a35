// Where in the program the lines of another tool's report are. That report came from another build
// of the same source: addresses mean nothing, and the compiler may have put other lines and columns
// into the debug information.
//
// Places are looked for in what was watched, and in the whole code of the program as well: what the
// watched runs did not execute may be executed when threads are steered.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "active/observation.h"
#include "active/place_names.h"
#include "active/tool_report.h"
#include "engine/symbolizer.h"

namespace snag::active {

struct Located {
  std::vector<CodePlace> places;
  std::string text;     // "writes left at tickets.cc:10 in Buy"
  std::string problem;  // why there is none
};

class ReportPlaces {
 public:
  ReportPlaces(const Observation& observation, PlaceNames& names, const engine::ModuleMap& modules,
               engine::Symbolizer& symbolizer);

  Located access(const ReportSide& side);
  Located lock(const ReportSide& side);
  // What others did to the memory of an access that was watched.
  Located others(const Located& one);

 private:
  enum class What { kAccess, kFree, kLock, kOther };
  struct Site {
    What what = What::kOther;
    CodePlace code;
    bool reads = false, writes = false;
    std::uint32_t size = 0;
    std::uint32_t place = 0;            // of the observation
    const WatchEvent* event = nullptr;  // and one that happened there
    std::vector<engine::Frame> frames;
    std::size_t shown = 0;
  };
  // A user's frame of a site.
  struct Position {
    std::size_t site = 0, frame = 0;
  };
  using Lines = std::map<int, std::vector<Position>>;

  void add_watched();
  void add_code(std::uint32_t module, const std::string& path);
  void add(Site site);
  void find_conflicts();
  std::vector<const Lines*> files_like(const std::string& file) const;
  Located locate(const ReportSide& side, What what);
  // The best of those at these lines; `frame` is the one of the report that stands there.
  std::vector<std::size_t> best(const std::vector<const Lines*>& files, int from, int to,
                                const ReportSide& side, const ReportFrame& frame, What what) const;
  int score(const Position& position, const ReportSide& side, const ReportFrame& frame) const;
  std::string text_of(const Site& site);
  void take(Located& located, const Site& site);

  const Observation& observation_;
  PlaceNames& names_;
  engine::Symbolizer& symbolizer_;
  std::vector<Site> sites_;
  std::set<CodePlace> codes_;
  // By the file's last name, and then by its whole one.
  std::unordered_map<std::string, std::map<std::string, Lines>> files_;
  bool has_conflicts_ = false;
  // By place: others that used the same memory, and how likely the two can meet.
  enum class Chance { kOneThread, kLocked, kFree };
  std::unordered_map<std::uint32_t, std::map<std::uint32_t, Chance>> conflicts_;
};

// Names of the path that are the same, from the last one on: 2 for "/a/src/x.cc" and "src/x.cc".
std::size_t common_suffix(const std::string& a, const std::string& b);

}  // namespace snag::active
