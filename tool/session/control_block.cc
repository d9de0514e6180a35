#include "tool/session/control_block.h"

#include <new>

namespace snag::session {

Expected<ControlBlock> ControlBlock::create(std::uint64_t step_capacity,
                                            std::uint64_t stretch_capacity) {
  const std::uint64_t size = Shared::size_for(step_capacity, stretch_capacity);
  auto file = SharedFile::create("snag-control", size, false);
  if (!file) {
    Error error = file.error();
    error.message += "; try fewer --max-steps";
    return tl::unexpected(std::move(error));
  }
  // It is zeroed, which is the initial value of everything in it: default-initialise only.
  auto* shared = new (file->memory()) Shared;
  shared->magic = kProtocolMagic;
  shared->version = kProtocolId;
  shared->size = size;
  shared->step_capacity = step_capacity;
  shared->stretch_capacity = stretch_capacity;
  return ControlBlock(std::move(*file));
}

}  // namespace snag::session
