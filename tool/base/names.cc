#include "tool/base/names.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <span>

namespace snag {
namespace {

// In the order of the enumerators.
constexpr std::string_view kStatusNames[] = {"runnable", "blocked", "sleeping", "external",
                                             "finished"};

template <class Enum, class Name, std::size_t N>
std::string_view name_in(const Name (&names)[N], Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : "unknown";
}

template <class Enum>
std::string_view word_for(std::span<const Word> words, Enum value) {
  const Word* word = find_word(words, static_cast<std::uint64_t>(value));
  return word != nullptr ? word->name : "unknown";
}

}  // namespace

std::string_view name_of(FailureKind kind) { return failure_name(kind); }
std::string_view name_of(StrategyKind strategy) { return word_for(kStrategyWords, strategy); }
std::string_view name_of(Points points) { return word_for(kPointsWords, points); }
std::string_view name_of(Backend backend) { return word_for(kBackendWords, backend); }
std::string_view name_of(Timeouts timeouts) { return word_for(kTimeoutsWords, timeouts); }
std::string_view name_of(ThreadStatus status) { return name_in(kStatusNames, status); }

std::optional<FailureKind> parse_failure_kind(std::string_view name) {
  for (std::uint32_t i = 0; i < kFailureKindCount; ++i) {
    if (name == kFailureRows[i].name) return static_cast<FailureKind>(i);
  }
  return std::nullopt;
}
std::optional<OpKind> parse_op(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kOpNames); ++i) {
    if (name == kOpNames[i]) return static_cast<OpKind>(i);
  }
  return std::nullopt;
}

std::string signal_name(int signal) {
  const char* abbreviation = sigabbrev_np(signal);
  if (abbreviation == nullptr) return fmt::format("signal {}", signal);
  return fmt::format("SIG{}", abbreviation);
}

}  // namespace snag
