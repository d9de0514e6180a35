// The suppressions file: reports that the user knows and does not want to see again. Its syntax is
// ThreadSanitizer's, so that an existing file can be used; docs/reference/suppressions.md describes
// it.
//
//   # a comment
//   race:ns::Cache::lookup
//   race_top:^read_clock$
//   heap:libold.so
//
// A pattern is compared with the function, file and module of each frame and with the name of the
// variable. It may match anywhere in them, unless `^` or `$` anchors it; `*` is any text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/error.h"

namespace snag::suppress {

// Limits on untrusted files: no real one comes near these.
inline constexpr std::size_t kMaxSuppressionsBytes = 1 << 20;
inline constexpr std::size_t kMaxSuppressions = 10'000;
inline constexpr std::size_t kMaxPatternLength = 1'000;

enum class SuppressionKind : std::uint8_t {
  kRace,
  kRaceTop,  // a race, compared with the innermost frame of each access only
  kDeadlock,
  kHeap,
  kLock,  // misuse of locks; ThreadSanitizer's name for it is "mutex"
};

std::string_view name_of(SuppressionKind kind);

struct Suppression {
  SuppressionKind kind = SuppressionKind::kRace;
  std::string pattern;
  int line = 0;               // in the file
  std::uint64_t matches = 0;  // how many reports it has suppressed

  // As a line of the file.
  std::string text() const;
};

// What a pattern is compared with. Unknown names are empty and match nothing.
struct FrameNames {
  std::string_view function, file, module;
};
using StackNames = std::vector<FrameNames>;  // innermost first

// Whether the pattern fits the text.
bool matches_pattern(std::string_view pattern, std::string_view text);

class Suppressions {
 public:
  // `file` is for the messages.
  static Expected<Suppressions> parse(std::string_view text, const std::string& file);
  static Expected<Suppressions> read(const std::string& path);

  // The first suppression that fits a report with these stacks (a race has two) and this variable
  // (or an empty name), or nullptr. It is counted. kRace asks for kRaceTop, too.
  const Suppression* match(SuppressionKind kind, std::span<const StackNames> stacks,
                           std::string_view variable);

  const std::vector<Suppression>& entries() const { return entries_; }
  // ThreadSanitizer's kinds that occur in the file and have no meaning here, each once.
  const std::vector<std::string>& ignored_kinds() const { return ignored_kinds_; }

 private:
  std::vector<Suppression> entries_;
  std::vector<std::string> ignored_kinds_;
};

}  // namespace snag::suppress
