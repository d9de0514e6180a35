// Where in the user's own code the operations of a run were, and what the source calls their
// objects.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tool/binary/symbolizer.h"
#include "tool/report/view/frame_view.h"
#include "tool/report/view/object_names.h"
#include "tool/session/failed_run.h"

namespace snag::report {

struct Place {
  FrameView view;
  std::string expression;  // what the source calls the object there
};

// The innermost place in the user's own code: of the operation, or of one of its callers.
class Places {
 public:
  Places(const session::FailedRun& run, binary::Symbolizer& symbolizer, SourceText& source,
         ObjectNames& names)
      : run_(run), symbolizer_(symbolizer), source_(source), names_(names) {}

  Place of_step(std::uint64_t step);
  Place of_pending(const ThreadReport& report);
  // Of one that need not be a step.
  Place of_access(const AccessReport& access);

 private:
  struct Operation {
    OpKind kind;
    Tid thread;
    std::uint64_t address;  // of an access to memory
    std::uint32_t size;     // 0: not known
  };
  Place at(const Operation& operation, std::uint64_t pc, std::span<const std::uint64_t> callers);
  std::string memory_name(const Operation& operation, std::uint64_t pc,
                          std::span<const std::uint64_t> callers);
  MemoryReport memory_at(std::uint64_t address) const;
  const binary::Frame* users_frame(std::uint64_t pc);

  const session::FailedRun& run_;
  binary::Symbolizer& symbolizer_;
  SourceText& source_;
  ObjectNames& names_;
};

// The step that it would be.
OpKind operation_of(const AccessReport& access);

}  // namespace snag::report
