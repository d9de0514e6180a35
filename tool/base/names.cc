#include "tool/base/names.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

namespace snag {
namespace {

// In the order of the enumerators.
constexpr std::string_view kPointsNames[] = {"sync", "shared", "all"};
constexpr std::string_view kBackendNames[] = {"user", "futex"};
constexpr std::string_view kRacesNames[] = {"off", "report", "fail"};
constexpr std::string_view kStatusNames[] = {"runnable", "blocked", "sleeping", "external",
                                             "finished"};

template <class Enum, class Name, std::size_t N>
std::string_view name_in(const Name (&names)[N], Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : "unknown";
}

template <class Enum, class Name, std::size_t N>
std::optional<Enum> value_in(const Name (&names)[N], std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(FailureKind kind) { return name_in(kFailureNames, kind); }
std::string_view name_of(StrategyKind strategy) {
  const StrategyRow* row = find_strategy(static_cast<std::uint64_t>(strategy));
  return row != nullptr ? row->name : "unknown";
}
std::string_view name_of(Points points) { return name_in(kPointsNames, points); }
std::string_view name_of(Backend backend) { return name_in(kBackendNames, backend); }
std::string_view name_of(Races races) { return name_in(kRacesNames, races); }
std::string_view name_of(ThreadStatus status) { return name_in(kStatusNames, status); }

std::optional<FailureKind> parse_failure_kind(std::string_view name) {
  return value_in<FailureKind>(kFailureNames, name);
}
std::optional<StrategyKind> parse_strategy(std::string_view name) {
  const StrategyRow* row = find_strategy(name);
  if (row == nullptr) return std::nullopt;
  return row->kind;
}
std::optional<Points> parse_points(std::string_view name) {
  return value_in<Points>(kPointsNames, name);
}
std::optional<Backend> parse_backend(std::string_view name) {
  return value_in<Backend>(kBackendNames, name);
}
std::optional<Races> parse_races(std::string_view name) {
  return value_in<Races>(kRacesNames, name);
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
