#include "tool/coverage/data/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tool/base/text.h"

namespace snag::coverage {
namespace {

// The last `parts` components of a path.
std::string_view path_end(std::string_view path, int parts) {
  std::size_t at = path.size();
  while (parts-- > 0 && at != std::string_view::npos && at > 0) at = path.rfind('/', at - 1);
  return at == std::string_view::npos || at == 0 ? path : path.substr(at + 1);
}

}  // namespace

Wording::Wording(const CoverData& data) : data_(data), files_(data.text_count()) {
  std::vector<TextId> files;
  const auto add_files = [&](const Chain& chain) {
    for (const Place& place : chain) {
      if (place.file == 0 || !files_[place.file].empty()) continue;
      files_[place.file] = base_name(data.text(place.file));
      files.push_back(place.file);
    }
  };
  const auto is_same = [](const Place& a, const Place& b) {
    return a.file == b.file && a.line == b.line && a.column == b.column && a.function == b.function;
  };
  // How many inlining steps outside of the one that is shown.
  const auto has_frame = [](const Location& location, std::uint32_t out) {
    return location.shown + out < location.frames.size();
  };
  const auto frame = [&](const Location& location, std::uint32_t out) {
    return has_frame(location, out) ? location.frames[location.shown + out] : Place{};
  };
  for (LocationId id = 0; id < data.locations().size(); ++id) {
    const Location& location = data.locations()[id];
    add_files(location.frames);
    for (const Chain& caller : location.callers) add_files(caller);
    const int column = location.place().column;
    const auto [entry, is_new] = columns_.try_emplace(line_key(location), column);
    if (!is_new && entry->second != column) entry->second = -1;
    Inlined& known =
        inlined_.try_emplace({line_key(location), column}, Inlined{id, 0}).first->second;
    const Location& first = data.locations()[known.first];
    std::uint32_t out = 1;
    while (is_same(frame(first, out), frame(location, out)) && has_frame(location, out)) ++out;
    if (!is_same(frame(first, out), frame(location, out)) &&
        (known.differs_at == 0 || out < known.differs_at))
      known.differs_at = out;
  }
  // Longer path suffixes for files that still look the same.
  constexpr int kMaxParts = 64;
  for (int parts = 2; parts < kMaxParts; ++parts) {
    std::unordered_map<std::string, int> uses;
    for (const TextId id : files) ++uses[files_[id]];
    bool changed = false;
    for (const TextId id : files) {
      if (uses[files_[id]] < 2) continue;
      const std::string longer(path_end(data.text(id), parts));
      changed = changed || longer != files_[id];
      files_[id] = longer;
    }
    if (!changed) break;
  }
}

std::uint64_t Wording::line_key(const Location& location) const {
  const Place& place = location.place();
  return std::uint64_t{place.file} << 36 | static_cast<std::uint64_t>(place.line) << 4 |
         static_cast<std::uint64_t>(location.kind);
}

std::string Wording::function(TextId id) const {
  const std::string& name = data_.text(id);
  if (name.empty()) return "a function";
  const bool is_complete = name.ends_with(')') || name.find("+0x") != std::string::npos;
  return is_complete && !name.ends_with("operator()") ? name : name + "()";
}

std::string_view Wording::action(const Pair& pair, bool is_first) const {
  const LocationKind kind = data_.locations()[is_first ? pair.first : pair.second].kind;
  if (kind == LocationKind::kEntry) return "call";
  if (kind == LocationKind::kRead || kind == LocationKind::kWrite || kind == LocationKind::kUpdate)
    return name_of(kind);
  const std::uint32_t writes = is_first ? kPairFirstWrites : kPairSecondWrites;
  return (pair.state & writes) != 0 ? "write" : "read";
}

std::string Wording::place(LocationId id) const {
  const Location& location = data_.locations()[id];
  const Place& place = location.place();
  if (place.file == 0) return data_.text(place.function);
  const auto known = columns_.find(line_key(location));
  if (known != columns_.end() && known->second == -1)
    return fmt::format("{}:{}:{}", file(place.file), place.line, place.column);
  return fmt::format("{}:{}", file(place.file), place.line);
}

std::string Wording::location(LocationId id) const {
  const Location& location = data_.locations()[id];
  const Place& innermost = location.place();
  std::string text = place(id);
  if (innermost.file != 0) text += " in " + function(innermost.function);
  const auto inlined = inlined_.find({line_key(location), innermost.column});
  const std::uint32_t out = inlined != inlined_.end() ? inlined->second.differs_at : 0;
  if (out != 0 && location.shown + out < location.frames.size()) {
    const Place& outer = location.frames[location.shown + out];
    if (outer.file != 0) text += fmt::format(" inlined at {}:{}", file(outer.file), outer.line);
  }
  for (const Chain& caller : location.callers) {
    if (caller.empty()) continue;
    const Place& shown = caller.front();
    text += shown.file == 0 ? fmt::format(" called by {}", function(shown.function))
                            : fmt::format(" called at {}:{} in {}", file(shown.file), shown.line,
                                          function(shown.function));
  }
  return text;
}

std::string Wording::pair(const Pair& pair) const {
  const auto method = [&](LocationId id) {
    const Place& at = data_.locations()[id].place();
    return fmt::format("{} at {}", function(at.function), place(id));
  };
  const MetricRow& row = row_of(pair.metric);
  if (!row.has(kOfAccesses))
    return fmt::format(fmt::runtime(row.pair_text), method(pair.first), method(pair.second));
  std::string text = fmt::format("{} at {} then {} at {}", action(pair, true), location(pair.first),
                                 action(pair, false), location(pair.second));
  if (pair.variable != 0) text += ", on " + data_.text(pair.variable);
  return text;
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part < whole) percent = std::min(percent, 99.9);
  if (part > 0) percent = std::max(percent, 0.1);
  return fmt::format("{:.1f} %", percent);
}

std::string percent_text_below(std::uint64_t part, std::uint64_t whole, double limit) {
  std::string text = percent_text(part, whole);
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  constexpr int kMaxDigits = 15;
  for (int digits = 2; digits <= kMaxDigits && std::strtod(text.c_str(), nullptr) >= limit;
       ++digits)
    text = fmt::format("{:.{}f} %", percent, digits);
  return text;
}

}  // namespace snag::coverage
