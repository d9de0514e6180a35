// The memory by which the tool tells a program under test what to do (see
// protocol/shared_memory.h).
#pragma once

#include <cstdint>
#include <utility>

#include "protocol/shared_memory.h"
#include "tool/base/error.h"
#include "tool/base/shared_file.h"

namespace snag::session {

class ControlBlock {
 public:
  // Room for that many steps and stretches; everything is zero but the header.
  static Expected<ControlBlock> create(std::uint64_t step_capacity, std::uint64_t stretch_capacity);

  // Close-on-exec; the child clears that for itself.
  int fd() const { return file_.fd(); }
  Shared& shared() const { return *static_cast<Shared*>(file_.memory()); }

 private:
  explicit ControlBlock(SharedFile file) : file_(std::move(file)) {}

  SharedFile file_;
};

}  // namespace snag::session
