// Names of the protocol's enumerators, as printed, stored in traces and accepted on the command
// line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/shared_memory.h"

namespace snag {

// In place of a failure's kind, in traces and reports of runs that covered Config::wanted.
inline constexpr std::string_view kCoveredName = "covered";

std::string_view name_of(FailureKind kind);
std::string_view name_of(StrategyKind strategy);
std::string_view name_of(Points points);
std::string_view name_of(Backend backend);
std::string_view name_of(Timeouts timeouts);
std::string_view name_of(ThreadStatus status);

std::optional<FailureKind> parse_failure_kind(std::string_view name);
std::optional<OpKind> parse_op(std::string_view name);

// "SIGSEGV" for 11; "signal 99" for a signal without a name.
std::string signal_name(int signal);

}  // namespace snag
