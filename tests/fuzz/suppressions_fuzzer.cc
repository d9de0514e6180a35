// Any text: it is refused, or what was read is written and read again without a change. And no
// pattern takes long, or fits where a slow but obvious matcher says otherwise.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/require.h"
#include "tool/suppress/suppressions.h"

namespace {

using namespace snag::suppress;

std::string format(const Suppressions& suppressions) {
  std::string text;
  for (const Suppression& entry : suppressions.entries()) text += entry.text() + "\n";
  for (const std::string& kind : suppressions.ignored_kinds()) text += kind + ":x\n";
  return text;
}

// By definition: whether the pattern, whose anchors have become the absence of stars, is the text.
// fits[i] tells whether the pattern so far is the first i characters.
bool fits(std::string_view pattern, std::string_view text) {
  std::vector<bool> fits(text.size() + 1, false);
  fits[0] = true;
  for (const char c : pattern) {
    std::vector<bool> next(text.size() + 1, false);
    for (std::size_t i = 0; i <= text.size(); ++i) {
      next[i] =
          c == '*' ? fits[i] || (i > 0 && next[i - 1]) : i > 0 && fits[i - 1] && text[i - 1] == c;
    }
    fits.swap(next);
  }
  return fits[text.size()];
}

bool fits_anchored(std::string pattern, std::string_view text) {
  if (text.empty()) return false;
  if (pattern.starts_with('^')) {
    pattern.erase(0, 1);
  } else {
    pattern.insert(0, 1, '*');
  }
  if (pattern.ends_with('$')) {
    pattern.pop_back();
  } else {
    pattern += '*';
  }
  return fits(pattern, text);
}

void check_patterns(const Suppressions& suppressions) {
  constexpr std::size_t kEnough = 4;  // the slow matcher is slow
  const auto& entries = suppressions.entries();
  for (std::size_t i = 0; i < entries.size() && i < kEnough; ++i) {
    for (std::size_t j = 0; j < entries.size() && j < kEnough; ++j) {
      const std::string_view text = std::string_view(entries[j].pattern).substr(0, 100);
      REQUIRE(matches_pattern(entries[i].pattern, text) == fits_anchored(entries[i].pattern, text));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto first = Suppressions::parse({reinterpret_cast<const char*>(data), size}, "file");
  if (!first) {
    REQUIRE(first.error().message.starts_with("file:"));
    return 0;
  }
  const std::string text = format(*first);
  const auto second = Suppressions::parse(text, "file");
  REQUIRE(second.has_value());
  REQUIRE(format(*second) == text);
  REQUIRE(first->entries().size() <= kMaxSuppressions);
  check_patterns(*first);

  const std::vector<StackNames> stacks = {
      {{"ns::Queue::pop", "queue.cc", "shop"}, {"main", "", ""}}};
  for (const SuppressionKind kind : {SuppressionKind::kRace, SuppressionKind::kHeap}) {
    const Suppression* found = first->match(kind, stacks, "ns::total");
    REQUIRE(found == nullptr || found->matches == 1);
  }
  return 0;
}
