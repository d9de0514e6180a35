// Shrinks a test while it still shows the violation: fewer threads, fewer calls, no second object,
// simpler arguments.
#pragma once

#include <functional>
#include <vector>

#include "tool/base/error.h"
#include "tool/gen/judge/judge.h"

namespace snag::gen {

// Tests that are simpler in one respect, the greatest simplifications first.
std::vector<Test> simpler_tests(const Test& test);

// Which of the tests show the violation; called with a few tests at a time.
using TryTests =
    std::function<Expected<std::vector<std::optional<Violation>>>(const std::vector<Test>&)>;

// Ends when nothing simpler shows it, or `should_stop` says so.
Expected<Violation> minimize(Violation violation, const TryTests& try_tests,
                             const std::function<bool()>& should_stop);

}  // namespace snag::gen
