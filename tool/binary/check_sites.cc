#include "tool/binary/check_sites.h"

#include <set>
#include <tuple>

#include "tool/binary/call_sites.h"

namespace snag::binary {
namespace {

struct CheckFunction {
  std::string_view begin;  // of the symbol
  std::string_view what;
  bool is_counted = false;
};
// assert; our own; the functions by which frameworks report that a check has failed (or make the
// check); and those that users' checking macros end in.
constexpr CheckFunction kFunctions[] = {
    {"__assert_fail", "assert"},
    {"__assert_perror_fail", "assert"},
    {"snag_fail", "snag::fail"},
    {"_ZN4snag4fail", "snag::fail"},
    {"_ZN7testing8internal12AssertHelper", "GoogleTest", true},
    {"_ZNK7testing8internal12AssertHelper", "GoogleTest", true},
    {"_ZN5Catch16AssertionHandler", "Catch2", true},
    {"_ZN7doctest6detail", "doctest", true},
    {"_ZSt9terminatev", "terminate"},
    {"abort", "abort"},
    {"__builtin_trap", "abort"},
};

const CheckFunction* function_of(std::string_view symbol) {
  symbol = symbol.substr(0, symbol.find('@'));
  for (const CheckFunction& function : kFunctions) {
    const bool is_mangled = function.begin.starts_with("_Z");
    if (is_mangled ? symbol.starts_with(function.begin) : symbol == function.begin)
      return &function;
  }
  return nullptr;
}

}  // namespace

std::string_view check_called(std::string_view symbol) {
  const CheckFunction* function = function_of(symbol);
  return function != nullptr ? function->what : "";
}

Expected<std::vector<CheckSite>> find_check_sites(const std::string& program,
                                                  binary::Symbolizer& symbolizer) {
  const auto calls = binary::find_calls(program, [](std::string_view symbol) -> std::optional<int> {
    const CheckFunction* function = function_of(symbol);
    if (function == nullptr) return std::nullopt;
    return static_cast<int>(function - kFunctions);
  });
  if (!calls) return tl::unexpected(calls.error());
  std::vector<CheckSite> sites;
  std::set<std::tuple<std::string, int, std::string>> known;
  for (const binary::ClassifiedCall& call : *calls) {
    const CheckFunction& function = kFunctions[call.kind];
    const binary::Frames& frames = symbolizer.lookup_file(program, call.return_address - 1);
    // std::thread's destructor and similar calls are not checks of the program, nor are the C++
    // library's own: they are not in the user's source.
    const bool is_direct = function.what == "terminate" || function.what == "abort";
    if (is_direct && !frames.empty() && !binary::is_user_frame(frames.front())) continue;
    // The innermost function may be a macro's helper; the check surrounds its call, and failures
    // name the innermost place.
    for (const binary::Frame& frame : frames) {
      if (!binary::is_user_frame(frame) || frame.file.empty()) continue;
      if (known.insert({frame.file, frame.line, frame.function}).second)
        sites.push_back({frame, std::string(function.what), function.is_counted});
      break;
    }
  }
  return sites;
}

}  // namespace snag::binary
