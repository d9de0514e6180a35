#include "tool/base/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace snag {
namespace {

Error cannot_write(const std::string& path, int error) {
  return {ErrorKind::kUsage, fmt::format("cannot write '{}': {}", path, std::strerror(error))};
}

// The end of a chain of symbolic links, even if nothing exists there yet.
std::string followed(std::filesystem::path path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int i = 0; i < kMostLinks; ++i) {
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  return path.string();
}

}  // namespace

std::size_t write_all(int fd, std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = TEMP_FAILURE_RETRY(write(fd, text.data() + done, text.size() - done));
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

mode_t mode_of_new_file() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

Expected<FileBeside> FileBeside::open(const std::string& path, mode_t mode, int flags) {
  const std::string target = followed(path);
  struct stat info {};
  if (stat(target.c_str(), &info) == 0) {
    if (access(target.c_str(), W_OK) != 0) return tl::unexpected(cannot_write(path, errno));
    mode = info.st_mode & 0777;  // no more permissions: the new file may belong to another user
  }
  std::string name = target + ".XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC | flags);
  if (fd < 0) return tl::unexpected(cannot_write(path, errno));
  fchmod(fd, mode);
  return FileBeside(target, std::move(name), fd);
}

FileBeside::FileBeside(FileBeside&& other) noexcept
    : path_(std::move(other.path_)),
      name_(std::exchange(other.name_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

FileBeside::~FileBeside() {
  if (!name_.empty()) std::remove(name_.c_str());
  if (fd_ >= 0) close(fd_);
}

Expected<void> FileBeside::take_place() {
  if (std::rename(name_.c_str(), path_.c_str()) != 0)
    return tl::unexpected(cannot_write(path_, errno));
  name_.clear();
  return {};
}

int FileBeside::release() { return std::exchange(fd_, -1); }

Expected<std::string> read_file(const std::string& path, std::size_t most) {
  // A FIFO would wait for someone to write.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return usage_error(std::strerror(errno));
  struct stat info {};
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return usage_error("it is not a regular file");
  }
  std::string text(std::min(static_cast<std::size_t>(info.st_size), most), '\0');
  std::size_t done = 0;
  ssize_t count = 1;
  while (done < text.size() && count > 0) {
    count = TEMP_FAILURE_RETRY(read(fd, text.data() + done, text.size() - done));
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  const int error = errno;
  close(fd);
  if (count < 0) return usage_error(std::strerror(error));
  text.resize(done);
  return text;
}

Expected<void> write_whole_file(const std::string& path, std::string_view text) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return tl::unexpected(cannot_write(path, errno));
    const bool is_done = write_all(fd, text) == text.size();
    const int error = errno;
    close(fd);
    if (!is_done) return tl::unexpected(cannot_write(path, error));
    return {};
  }
  auto file = FileBeside::open(path, mode_of_new_file());
  if (!file) return tl::unexpected(file.error());
  if (write_all(file->fd(), text) != text.size()) return tl::unexpected(cannot_write(path, errno));
  return file->take_place();
}

}  // namespace snag
