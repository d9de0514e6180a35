// Memory that the tool shares with a program under test: an anonymous file that only the two can
// reach, and its mapping here.
#pragma once

#include <cstdint>
#include <utility>

#include "tool/base/error.h"

namespace snag {

class SharedFile {
 public:
  // Born zeroed, and its size never changes. `inherited`: programs that are started get it under
  // its number; otherwise it is close-on-exec.
  static Expected<SharedFile> create(const char* name, std::uint64_t size, bool inherited);

  SharedFile(SharedFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        size_(other.size_),
        memory_(std::exchange(other.memory_, nullptr)) {}
  SharedFile& operator=(SharedFile&&) = delete;
  ~SharedFile();

  int fd() const { return fd_; }
  std::uint64_t size() const { return size_; }
  void* memory() const { return memory_; }

 private:
  SharedFile(int fd, std::uint64_t size, void* memory) : fd_(fd), size_(size), memory_(memory) {}

  int fd_;
  std::uint64_t size_;
  void* memory_;
};

}  // namespace snag
