// Where in the user's own code the operations of a run were, and what the source calls their
// objects.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tool/binary/symbolizer.h"
#include "tool/report/view/frame_view.h"
#include "tool/session/failed_run.h"

namespace snag::report {

struct Place {
  FrameView view;
  std::string expression;  // what the source calls the object there
};

// The innermost place in the user's own code: of the operation, or of one of its callers.
class Places {
 public:
  Places(const session::FailedRun& run, binary::Symbolizer& symbolizer, SourceText& source)
      : run_(run), symbolizer_(symbolizer), source_(source) {}

  Place of_step(std::uint64_t step);
  Place of_pending(const ThreadReport& report);
  // Of one that need not be a step.
  Place of_access(const AccessReport& access);

 private:
  Place at(OpKind op, std::uint64_t pc, std::span<const std::uint64_t> callers);
  const binary::Frame* users_frame(std::uint64_t pc);

  const session::FailedRun& run_;
  binary::Symbolizer& symbolizer_;
  SourceText& source_;
};

// The step that it would be.
OpKind operation_of(const AccessReport& access);

}  // namespace snag::report
