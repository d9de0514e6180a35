// Any text: it is refused with a place inside it, or what was read is written and read again
// without a change. Whatever the schedule is, the checks end, and a run that does only what the
// monitor allows violates nothing.
#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/language/feasible.h"
#include "schedule/language/parser.h"
#include "schedule/monitor/monitor.h"
#include "tests/fuzz/require.h"

namespace {

using namespace snag::schedule;

void check_fault(std::string_view text, const Fault& fault) {
  REQUIRE(fault.offset <= text.size());
  REQUIRE(!fault.message.empty());
  REQUIRE(message_with_caret(text, fault).find('^') != std::string::npos);
}

// The bytes of the text choose what the threads try to do.
void run(const Schedule& schedule, std::string_view text) {
  constexpr std::size_t kSteps = 50;
  Monitor monitor(schedule);
  monitor.thread_named(0, "main");
  monitor.thread_named(1, "t");
  for (const char byte : text.substr(0, kSteps)) {
    const auto choice = static_cast<unsigned char>(byte);
    const Action action{static_cast<EventKind>(choice % 5), choice % 5 == 0 ? choice / 5 % 4 : -1,
                        choice / 20 % 3};
    if (action.kind == EventKind::kNamed &&
        static_cast<std::size_t>(action.name) >= monitor.mentioned_names())
      continue;
    const bool may = monitor.may_happen(action);
    REQUIRE(may == monitor.unmet(action).empty());
    if (may) REQUIRE(!monitor.happened(action));
  }
  REQUIRE(!monitor.first_violation());
  monitor.unreached();
  monitor.impossible();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = parse(text);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    check_fault(text, *error);
    return 0;
  }
  const Schedule& schedule = std::get<Schedule>(parsed);
  const std::string written = to_string(schedule);
  if (written.size() <= kMaxText) {  // chains and blanks can make it longer
    const auto again = parse(written);
    REQUIRE(std::holds_alternative<Schedule>(again));
    REQUIRE(to_string(std::get<Schedule>(again)) == written);
  }
  if (const auto fault = check_names(schedule, {"a", "queue::put", "startingTake1"}))
    check_fault(text, *fault);
  if (const auto fault = check_feasible(schedule)) check_fault(text, *fault);
  run(schedule, text);
  return 0;
}
