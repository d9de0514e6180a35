#include "engine/control_block.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>

namespace snag::engine {

Expected<ControlBlock> ControlBlock::create(std::uint64_t step_capacity,
                                            std::uint64_t stretch_capacity) {
  const std::uint64_t size = Shared::size_for(step_capacity, stretch_capacity);
  const int fd = memfd_create("snag-control", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) {
    return internal_error(fmt::format("cannot create shared memory: {}", std::strerror(errno)));
  }
  // Sealed, so that a program gone wild cannot make the tool fault by truncating the file.
  void* memory = MAP_FAILED;
  if (ftruncate(fd, static_cast<off_t>(size)) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (memory == MAP_FAILED) {
    const int error = errno;
    close(fd);
    return internal_error(
        fmt::format("cannot map {} MiB of shared memory: {}; try fewer --max-steps", size >> 20,
                    std::strerror(error)));
  }
  // The file is born zeroed, which is the initial value of everything in it: default-initialise
  // only.
  auto* shared = new (memory) Shared;
  shared->magic = kProtocolMagic;
  shared->version = kProtocolVersion;
  shared->size = size;
  shared->step_capacity = step_capacity;
  shared->stretch_capacity = stretch_capacity;
  return ControlBlock(fd, size, shared);
}

ControlBlock::~ControlBlock() {
  if (shared_ != nullptr) munmap(shared_, size_);
  if (fd_ >= 0) close(fd_);
}

}  // namespace snag::engine
