#include "tool/suppress/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "tool/base/text.h"
#include "tool/base/whole_file.h"

namespace snag::suppress {
namespace {

// In the order of SuppressionKind.
constexpr std::array<std::string_view, 5> kKindNames = {"race", "race_top", "deadlock", "heap",
                                                        "lock"};
// Thread leaks, unsafe calls in signal handlers, and libraries whose calls are ignored.
constexpr std::array<std::string_view, 3> kIgnoredKinds = {"thread", "signal", "called_from_lib"};

std::optional<SuppressionKind> parse_kind(std::string_view name) {
  if (name == "mutex") return SuppressionKind::kLock;
  const auto found = std::find(kKindNames.begin(), kKindNames.end(), name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<SuppressionKind>(found - kKindNames.begin());
}

// What is wrong with a pattern, and what to do; empty if it is correct.
std::string problem_of(std::string_view pattern) {
  if (pattern.empty()) return "the pattern is empty; write '*' if it is to match everything";
  if (pattern.size() > kMaxPatternLength)
    return fmt::format("the pattern is longer than {} characters; use '*' to shorten it",
                       kMaxPatternLength);
  return "";
}

bool matches_frame(const std::string& pattern, const FrameNames& frame) {
  return matches_pattern(pattern, frame.function) || matches_pattern(pattern, frame.file) ||
         matches_pattern(pattern, frame.module);
}

bool matches_stack(const Suppression& entry, const StackNames& stack) {
  const std::size_t depth = entry.kind == SuppressionKind::kRaceTop
                                ? std::min<std::size_t>(stack.size(), 1)
                                : stack.size();
  return std::any_of(stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(depth),
                     [&](const FrameNames& frame) { return matches_frame(entry.pattern, frame); });
}

}  // namespace

std::string_view name_of(SuppressionKind kind) {
  return kKindNames[static_cast<std::size_t>(kind)];
}

std::string Suppression::text() const { return fmt::format("{}:{}", name_of(kind), pattern); }

// The pieces between the stars are looked for from left to right, each at the first place where it
// fits: that leaves the most room for the rest. Only a piece that is anchored must match at the
// end.
bool matches_pattern(std::string_view pattern, std::string_view text) {
  if (text.empty()) return false;
  bool at_begin = pattern.starts_with('^');
  if (at_begin) pattern.remove_prefix(1);
  const bool at_end = pattern.ends_with('$');
  if (at_end) pattern.remove_suffix(1);
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    const bool is_last = star == std::string_view::npos;
    if (is_last && at_end) return at_begin ? text == piece : text.ends_with(piece);
    const std::size_t found =
        at_begin ? (text.starts_with(piece) ? 0 : std::string_view::npos) : text.find(piece);
    if (found == std::string_view::npos) return false;
    if (is_last) return true;
    text.remove_prefix(found + piece.size());
    pattern.remove_prefix(star + 1);
    at_begin = false;
  }
}

Expected<Suppressions> Suppressions::parse(std::string_view text, const std::string& file) {
  if (text.size() > kMaxSuppressionsBytes)
    return usage_error(fmt::format("{}: it is bigger than {} MiB; is it a suppressions file?", file,
                                   kMaxSuppressionsBytes >> 20));
  Suppressions result;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = trimmed(next_line(text));
    const auto complain = [&](std::string_view what) {
      return usage_error(fmt::format("{}:{}: {}", file, number, what));
    };
    if (line.empty() || line.starts_with('#')) continue;
    if (!is_printable(line)) return complain("it has characters that do not print; remove them");
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      return complain("there is no colon; write a line as kind:pattern, or begin it with '#'");
    const std::string_view name = line.substr(0, colon);
    const std::string_view pattern = trimmed(line.substr(colon + 1));
    const auto kind = parse_kind(name);
    const bool is_ignored =
        std::find(kIgnoredKinds.begin(), kIgnoredKinds.end(), name) != kIgnoredKinds.end();
    if (!kind && !is_ignored) {
      return complain(fmt::format(
          "'{}' is not a kind of suppression; write race, race_top, deadlock, heap or lock",
          name.substr(0, 40)));
    }
    if (const std::string problem = problem_of(pattern); !problem.empty()) return complain(problem);
    if (is_ignored) {
      auto& names = result.ignored_kinds_;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
      continue;
    }
    if (result.entries_.size() == kMaxSuppressions) {
      return complain(fmt::format(
          "there are more than {} suppressions; use '*' to say several in one", kMaxSuppressions));
    }
    result.entries_.push_back({*kind, std::string(pattern), number, 0});
  }
  return result;
}

Expected<Suppressions> Suppressions::read(const std::string& path) {
  // One byte more than allowed, so that `parse` sees that it is too big.
  auto text = read_file(path, kMaxSuppressionsBytes + 1);
  if (!text) {
    return usage_error(
        fmt::format("cannot read the suppressions in '{}': {}", path, text.error().message));
  }
  return parse(*text, path);
}

const Suppression* Suppressions::match(SuppressionKind kind, std::span<const StackNames> stacks,
                                       std::string_view variable) {
  for (Suppression& entry : entries_) {
    const bool is_top = entry.kind == SuppressionKind::kRaceTop;
    if (entry.kind != kind && !(is_top && kind == SuppressionKind::kRace)) continue;
    const bool fits = (!is_top && matches_pattern(entry.pattern, variable)) ||
                      std::any_of(stacks.begin(), stacks.end(), [&](const StackNames& stack) {
                        return matches_stack(entry, stack);
                      });
    if (!fits) continue;
    ++entry.matches;
    return &entry;
  }
  return nullptr;
}

}  // namespace snag::suppress
