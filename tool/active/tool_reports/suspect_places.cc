#include "tool/active/tool_reports/suspect_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "tool/base/text.h"
#include "tool/binary/call_sites.h"
#include "tool/binary/place.h"

namespace snag::active {
namespace {

// A statement may have several lines, and compilers differ in which one they choose.
constexpr int kNearLines = 2;
constexpr std::size_t kMaxTexts = 3;
// How many pieces of memory to keep for one place: an array has many elements.
constexpr std::size_t kMaxParts = 64;

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (const auto& part : std::filesystem::path(path).lexically_normal())
    parts.push_back(part.string());
  return parts;
}

bool is_of_system(const std::string& path) {
  return path.starts_with("/lib") || path.starts_with("/usr/") || path.empty() || path[0] == '[';
}

// What a call in the program's code does, as far as reports are concerned.
enum class CallKind { kRead, kWrite, kReadAndWrite, kLock, kFree, kOther };

CallKind kind_of_call(std::string_view symbol) {
  using binary::LocationKind;
  symbol = symbol.substr(0, symbol.find('@'));
  if (const auto hook = binary::kind_of_hook(symbol)) {
    if (*hook == LocationKind::kRead) return CallKind::kRead;
    if (*hook == LocationKind::kWrite) return CallKind::kWrite;
    const bool is_access = *hook == LocationKind::kAccess || *hook == LocationKind::kUpdate;
    return is_access ? CallKind::kReadAndWrite : CallKind::kOther;
  }
  for (const std::string_view lock :
       {"pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_mutex_clocklock",
        "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_spin_lock"}) {
    if (symbol == lock) return CallKind::kLock;
  }
  const bool is_free =
      symbol == "free" || symbol.starts_with("_ZdlPv") || symbol.starts_with("_ZdaPv");
  return is_free ? CallKind::kFree : CallKind::kOther;
}

// "race.cc:10"
std::string line_text(const ReportFrame& frame) {
  return binary::place_text(frame.file, frame.line, frame.function);
}

// The column distinguishes accesses without a name.
std::string exact_text(const binary::Frame& frame) {
  const std::string text = binary::place_in_function(&frame);
  if (frame.file.empty() || frame.column <= 0) return text;
  const std::string line = binary::place_text(&frame);
  return fmt::format("{}:{}{}", line, frame.column, text.substr(line.size()));
}

}  // namespace

std::size_t common_suffix(const std::string& a, const std::string& b) {
  const std::vector<std::string> one = parts_of(a), other = parts_of(b);
  std::size_t count = 0;
  while (count < one.size() && count < other.size() &&
         one[one.size() - 1 - count] == other[other.size() - 1 - count])
    ++count;
  return count;
}

ReportPlaces::ReportPlaces(const Observation& observation, PlaceNames& names,
                           const binary::ModuleMap& modules, binary::Symbolizer& symbolizer)
    : observation_(observation), names_(names), symbolizer_(symbolizer) {
  add_watched();
  for (std::uint32_t i = 0; i < modules.modules().size(); ++i) {
    if (!is_of_system(modules.modules()[i].path)) add_code(i, modules.modules()[i].path);
  }
}

std::optional<std::size_t> ReportPlaces::add(Site site) {
  const std::size_t number = sites_.size();
  bool is_users = false;
  for (std::size_t i = 0; i < site.frames.size(); ++i) {
    const binary::Frame& frame = site.frames[i];
    if (!binary::is_user_frame(frame) || frame.line <= 0) continue;
    if (!is_users) site.shown = i;
    is_users = true;
    files_[std::string(base_name(frame.file))][frame.file][frame.line].push_back({number, i});
  }
  if (!is_users) return std::nullopt;
  sites_.push_back(std::move(site));
  return number;
}

void ReportPlaces::add_watched() {
  for (const auto run : observation_.runs()) {
    std::map<std::uint64_t, std::uint64_t> blocks;  // sizes by begin
    for (const WatchEvent& event : run) {
      if (event.kind == WatchKind::kFresh) blocks[event.address] = event.size;
      const bool is_used = event.kind == WatchKind::kAccess || event.kind == WatchKind::kFree;
      if (!is_used && event.kind != WatchKind::kWant) continue;
      MemoryPart memory;
      if (event.kind == WatchKind::kAccess) {
        memory = names_.variable_part(event.address);
        const auto block = blocks.upper_bound(event.address);
        if (memory.kind == MemoryPart::Kind::kHeap && block != blocks.begin()) {
          const auto& [begin, size] = *std::prev(block);
          if (event.address - begin < size) {
            memory.offset = event.address - begin;
            memory.size = size;
          }
        }
      }
      add_watched(event, memory);
    }
  }
}

void ReportPlaces::add_watched(const WatchEvent& event, const MemoryPart& memory) {
  const auto [known, is_new] =
      watched_.try_emplace({event.place, event.flags, event.size, memory.variable});
  if (!is_new) {
    if (!known->second) return;
    std::vector<MemoryPart>& parts = sites_[*known->second].memory;
    const bool is_there = std::any_of(parts.begin(), parts.end(), [&](const MemoryPart& part) {
      return part.offset == memory.offset && part.size == memory.size;
    });
    if (!is_there && parts.size() < kMaxParts) parts.push_back(memory);
    return;
  }
  const NamedPlace& place = names_.place(event.place);
  if (place.code.empty()) return;
  codes_.insert(place.code);
  const What what = event.kind == WatchKind::kWant     ? What::kLock
                    : event.kind == WatchKind::kAccess ? What::kAccess
                                                       : What::kFree;
  known->second = add({what,
                       place.code,
                       (event.flags & kWatchRead) != 0,
                       (event.flags & kWatchWrite) != 0,
                       event.size,
                       event.place,
                       &event,
                       {memory},
                       place.frames,
                       0});
}

void ReportPlaces::add_code(std::uint32_t module, const std::string& path) {
  const auto calls = binary::find_calls(path, [](std::string_view symbol) {
    return std::optional(static_cast<int>(kind_of_call(symbol)));
  });
  if (!calls) return;
  for (const binary::ClassifiedCall& call : *calls) {
    Site site;
    site.code = {make_module_pc(module, call.return_address)};
    if (codes_.contains(site.code)) continue;
    const auto kind = static_cast<CallKind>(call.kind);
    site.reads = kind == CallKind::kRead || kind == CallKind::kReadAndWrite;
    site.writes = kind == CallKind::kWrite || kind == CallKind::kReadAndWrite;
    if (site.reads || site.writes) site.what = What::kAccess;
    if (kind == CallKind::kLock) site.what = What::kLock;
    if (kind == CallKind::kFree) site.what = What::kFree;
    site.frames = symbolizer_.lookup_file(path, call.return_address - 1);
    add(std::move(site));
  }
}

std::vector<const ReportPlaces::Lines*> ReportPlaces::files_like(const std::string& file) const {
  const auto same_name = files_.find(std::string(base_name(file)));
  if (same_name == files_.end()) return {};
  // Of several files with that name, those that have most of the path in common.
  std::size_t most = 0;
  std::vector<const Lines*> result;
  for (const auto& [path, lines] : same_name->second) {
    const std::size_t common = common_suffix(path, file);
    if (common < most) continue;
    if (common > most) result.clear();
    most = common;
    result.push_back(&lines);
  }
  return result;
}

int ReportPlaces::score(const Position& position, const ReportSide& side,
                        const ReportFrame& frame) const {
  const Site& site = sites_[position.site];
  int score = position.frame == site.shown ? 16 : 0;
  if (side.access == ReportAccess::kWrite && site.writes) score += 8;
  if (side.access == ReportAccess::kRead && site.reads) score += site.writes ? 6 : 8;
  if (side.size != 0 && side.size == site.size) score += 3;
  // The library function that the user's own function has called.
  const ReportFrame& innermost = side.frames.front();
  if (!site.frames.empty() && site.frames.front().line == innermost.line &&
      base_name(site.frames.front().file) == base_name(innermost.file))
    score += 4;
  if (frame.column != 0 && site.frames[position.frame].column == frame.column) score += 1;
  return score;
}

std::vector<std::size_t> ReportPlaces::best(const std::vector<const Lines*>& files, int distance,
                                            const ReportSide& side, const ReportFrame& frame,
                                            What what, const MemoryPart& memory) const {
  constexpr int kMemoryPoints = 32;  // the memory says more than everything else
  const int last = frame.line + distance;
  int highest = -1;
  std::vector<std::size_t> result;
  for (const Lines* lines : files) {
    auto line = lines->lower_bound(frame.line - distance);
    for (; line != lines->end() && line->first <= last; ++line) {
      for (const Position& position : line->second) {
        const Site& site = sites_[position.site];
        if (site.what != what) continue;
        int same_memory = site.memory.empty() ? 0 : -1;
        for (const MemoryPart& part : site.memory)
          same_memory = std::max(same_memory, agreement(memory, side.size, part));
        if (same_memory < 0) continue;
        const int points = score(position, side, frame) + kMemoryPoints * same_memory;
        if (points < highest) continue;
        if (points > highest) result.clear();
        highest = points;
        result.push_back(position.site);
      }
    }
  }
  return result;
}

std::string ReportPlaces::text_of(const Site& site) {
  const std::string where = binary::place_in_function(&site.frames[site.shown]);
  switch (site.what) {
    case What::kAccess:
      if (site.event != nullptr && !site.memory.front().variable.empty())
        return access_text(*site.event, names_);
      return fmt::format("{} memory at {}", site.writes ? "writes" : "reads",
                         exact_text(site.frames[site.shown]));
    case What::kFree:
      return fmt::format("gives memory back at {}", where);
    case What::kLock:
      return fmt::format("wants a lock at {}", where);
    case What::kOther:
      break;
  }
  return where;
}

Located ReportPlaces::located(const std::vector<std::size_t>& sites) {
  Located located;
  std::set<std::string> texts;
  for (const std::size_t number : sites) {
    const CodePlace& code = sites_[number].code;
    const bool is_there =
        std::find(located.places.begin(), located.places.end(), code) != located.places.end();
    if (!is_there && located.places.size() < kMaxDirectedPlaces) located.places.push_back(code);
    if (texts.size() < kMaxTexts) texts.insert(text_of(sites_[number]));
  }
  located.text = fmt::format("{}", fmt::join(texts, " or "));
  return located;
}

ReportPlaces::Found ReportPlaces::find(const ReportSide& side, What what,
                                       const MemoryPart& memory) const {
  Found result;
  // The innermost one in a file of the user's.
  const ReportFrame* frame = nullptr;
  std::vector<const Lines*> files;
  for (const ReportFrame& of_report : side.frames) {
    files = files_like(of_report.file);
    if (files.empty()) continue;
    frame = &of_report;
    break;
  }
  if (frame == nullptr) {
    const ReportFrame* shown = nullptr;
    for (const ReportFrame& of_report : side.frames) {
      const binary::Frame as_ours{of_report.function, of_report.file, of_report.line, 0, 0};
      if (shown == nullptr && binary::is_user_frame(as_ours) && !of_report.file.starts_with("../"))
        shown = &of_report;
    }
    result.problem = fmt::format("no code of {} is in this program",
                                 base_name((shown ? *shown : side.frames.front()).file));
    return result;
  }
  for (int distance = 0; distance <= kNearLines && result.sites.empty(); ++distance)
    result.sites = best(files, distance, side, *frame, what, memory);
  if (!result.sites.empty()) return result;
  const bool has_code = std::any_of(
      files.begin(), files.end(), [&](const Lines* lines) { return lines->contains(frame->line); });
  const char* operation = what == What::kLock   ? "lock is taken while another one is held"
                          : what == What::kFree ? "memory is given back"
                                                : "memory is read or written";
  if (has_code && what == What::kLock) {
    result.problem = fmt::format("never executed: in the runs watched no {} at {}", operation,
                                 line_text(*frame));
  } else if (has_code && !memory.variable.empty()) {
    result.problem = fmt::format("never executed: in the runs watched {} was not used at {}",
                                 memory.variable, line_text(*frame));
  } else {
    result.problem =
        fmt::format("no such line in this program: no {} at {}", operation, line_text(*frame));
  }
  return result;
}

Located ReportPlaces::lock(const ReportSide& side) {
  const Found found = find(side, What::kLock, {});
  if (!found.problem.empty()) return {{}, "", found.problem};
  return located(found.sites);
}

}  // namespace snag::active
