// The result of a command, in the shape that every output format gets
// (tool/report/formats/format.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tool/base/terminal.h"
#include "tool/report/view/failure_view.h"
#include "tool/report/view/late_wakeup_view.h"
#include "tool/report/view/lock_order_view.h"

namespace snag::report {

using Json = nlohmann::ordered_json;

struct TextStyle {
  Painter painter{false};
  bool all_output = false;  // all of the program's output that was kept, not only its last lines
};

// Each command derives its own report. Formats for machines (SARIF, JUnit) need only the members.
struct Report {
  Report() = default;
  Report(const Report&) = default;
  Report& operator=(const Report&) = default;
  virtual ~Report() = default;

  int exit_code = 0;
  std::string program;
  std::vector<FailureView> failures;
  std::vector<LockOrderView> lock_orders;  // warnings, and so are these
  std::vector<LateWakeupView> late_wakeups;

  // For people.
  virtual std::string text(const TextStyle& style) const = 0;
  // The fields of the JSON object after `version` and `exit`.
  virtual Json fields() const = 0;
};

}  // namespace snag::report
