#include "tool/coverage/measure/ignore.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "tool/suppress/suppressions.h"

namespace snag::coverage {
namespace {

constexpr std::string_view kAssert = "assert";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where the next call of assert begins, its bracket included; npos if there is none.
std::size_t find_assertion(const std::string& line, std::size_t from) {
  for (std::size_t at = line.find(kAssert, from); at != std::string::npos;
       at = line.find(kAssert, at + 1)) {
    std::size_t end = at + kAssert.size();
    const bool is_begin = at == 0 || !is_word(line[at - 1]);
    while (end < line.size() && line[end] == ' ') ++end;
    if (is_begin && end < line.size() && line[end] == '(') return end;
  }
  return std::string::npos;
}

// Like suppress::matches_pattern, but compares the whole text, or the part after a "::" or "/".
bool fits_end(const std::string& pattern, const std::string& text, std::string_view separator) {
  const std::string anchored = fmt::format("^{}$", pattern);
  if (suppress::matches_pattern(anchored, text)) return true;
  for (std::size_t at = text.find(separator); at != std::string::npos;
       at = text.find(separator, at + 1)) {
    const std::string rest = text.substr(at + separator.size());
    if (suppress::matches_pattern(anchored, rest)) return true;
  }
  return false;
}

}  // namespace

std::vector<bool> lines_in_assertions(const std::vector<std::string>& lines) {
  // No real assertion is longer: a bracket in a string literal has confused the scan.
  constexpr int kMaxLines = 50;
  std::vector<bool> result(lines.size() + 1, false);
  int depth = 0;   // of brackets, within a call
  int length = 0;  // of the call, in lines
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (depth > 0 && ++length == kMaxLines) depth = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
      if (depth == 0) {
        at = find_assertion(line, at);
        length = 0;
        if (at == std::string::npos) break;
      }
      result[i + 1] = true;
      if (line[at] == '(') ++depth;
      if (line[at] == ')') --depth;
    }
  }
  return result;
}

bool Ignored::is_in_assertion(const Place& place) {
  const auto [entry, is_new] = assertions_.try_emplace(place.file);
  if (is_new) {
    const std::string& path = data_.text(place.file);
    std::vector<std::string> lines;
    for (int i = 1; i <= source_.count(path); ++i) lines.push_back(source_.line(path, i));
    entry->second = lines_in_assertions(lines);
  }
  const auto line = static_cast<std::size_t>(place.line);
  return line < entry->second.size() && entry->second[line];
}

bool Ignored::fits(const std::string& pattern, const Place& place) {
  if (pattern == kAssert) return place.file != 0 && is_in_assertion(place);
  if (fits_end(pattern, data_.text(place.function), "::")) return true;
  if (place.file == 0) return false;
  const std::string& path = data_.text(place.file);
  return fits_end(pattern, path, "/") ||
         fits_end(pattern, fmt::format("{}:{}", path, place.line), "/");
}

Expected<std::vector<ModulePc>> Ignored::find(const std::string& path) {
  std::vector<ModulePc> result;
  std::set<std::string> unused = patterns_;
  // Most places are requested many times.
  std::map<std::tuple<TextId, TextId, int>, bool> known;
  for (const binary::CallSite& site : places_.call_sites(path)) {
    if (site.kind == LocationKind::kEntry) continue;
    bool is_ignored = false;
    for (const Place& place : places_.chain(path, site.return_address)) {
      const auto [entry, is_new] = known.try_emplace({place.file, place.function, place.line});
      if (is_new) {
        for (const std::string& pattern : patterns_) {
          if (!fits(pattern, place)) continue;
          entry->second = true;
          unused.erase(pattern);
        }
      }
      is_ignored = is_ignored || entry->second;
    }
    if (is_ignored) result.push_back(make_module_pc(0, site.return_address));
  }
  if (!unused.empty()) {
    return usage_error(
        fmt::format("--ignore {} fits no instrumented code of '{}': give a function, a file, "
                    "file:line, or assert",
                    *unused.begin(), path));
  }
  if (result.size() > kMaxIgnored) {
    return usage_error(fmt::format(
        "--ignore names {} instructions, more than the {} that there is room for: compile that "
        "code without snag c++ instead",
        result.size(), kMaxIgnored));
  }
  return result;
}

}  // namespace snag::coverage
