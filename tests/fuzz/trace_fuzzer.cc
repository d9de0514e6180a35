// Any text: parse_trace refuses it, or what it read is written and read again without a change.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/fuzz/require.h"
#include "tool/trace/trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace snag::trace;
  const auto first = parse_trace({reinterpret_cast<const char*>(data), size});
  if (!first) {
    REQUIRE(!first.error().message.empty());
    return 0;
  }
  const std::string text = format_trace(*first);
  const auto second = parse_trace(text);
  REQUIRE(second.has_value());
  REQUIRE(format_trace(*second) == text);

  // What the rest of the tool relies on.
  std::uint64_t steps = 0;
  for (const snag::Stretch& stretch : first->schedule) {
    REQUIRE(stretch.steps > 0 && stretch.thread < snag::kMaxThreads);
    steps += stretch.steps;
  }
  REQUIRE(steps == first->steps && steps <= kMaxTraceSteps);
  REQUIRE(first->settings.max_steps > 0 && !first->program.path.empty() &&
          !first->program.argv.empty());
  REQUIRE(first->points.size() <= snag::kMaxPoints && first->choices.size() <= snag::kMaxChoices);
  for (const snag::Choice& choice : first->choices) {
    REQUIRE(choice.value < choice.count || (choice.count == 0 && choice.value == 0));
  }
  for (const Switch& change : first->switches) {
    REQUIRE(change.thread < snag::kMaxThreads && change.to < snag::kMaxThreads);
  }
  return 0;
}
