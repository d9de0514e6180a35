// The memory that the tool shares with the program under test (see runtime/protocol.h): an
// anonymous file that only the two can reach, and its mapping here.
#pragma once

#include <cstdint>
#include <utility>

#include "engine/error.h"
#include "runtime/protocol.h"

namespace snag::engine {

class ControlBlock {
 public:
  // Room for that many steps and stretches; everything is zero but the header.
  static Expected<ControlBlock> create(std::uint64_t step_capacity, std::uint64_t stretch_capacity);

  ControlBlock(ControlBlock&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        size_(other.size_),
        shared_(std::exchange(other.shared_, nullptr)) {}
  ControlBlock& operator=(ControlBlock&&) = delete;
  ~ControlBlock();

  // Close-on-exec; the child clears that for itself.
  int fd() const { return fd_; }
  Shared& shared() const { return *shared_; }

 private:
  ControlBlock(int fd, std::uint64_t size, Shared* shared)
      : fd_(fd), size_(size), shared_(shared) {}

  int fd_;
  std::uint64_t size_;
  Shared* shared_;
};

}  // namespace snag::engine
