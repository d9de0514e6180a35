#include "tool/base/shared_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace snag {

Expected<SharedFile> SharedFile::create(const char* name, std::uint64_t size, bool inherited) {
  const int fd = memfd_create(name, MFD_ALLOW_SEALING | (inherited ? 0 : MFD_CLOEXEC));
  if (fd < 0) {
    return internal_error(fmt::format("cannot create shared memory: {}", std::strerror(errno)));
  }
  // Sealed, so that a program gone wild cannot make the tool fault by truncating the file.
  void* memory = MAP_FAILED;
  if (ftruncate(fd, static_cast<off_t>(size)) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  }
  if (memory == MAP_FAILED) {
    const int error = errno;
    close(fd);
    return internal_error(
        fmt::format("cannot map {} MiB of shared memory: {}", size >> 20, std::strerror(error)));
  }
  return SharedFile(fd, size, memory);
}

SharedFile::~SharedFile() {
  if (memory_ != nullptr) munmap(memory_, size_);
  if (fd_ >= 0) close(fd_);
}

}  // namespace snag
