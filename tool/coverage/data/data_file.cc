#include "tool/coverage/data/data_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tool/base/whole_file.h"
#include "tool/coverage/data/merge.h"

namespace snag::coverage {
namespace {

Error cannot_write(const std::string& path, int error) {
  return {ErrorKind::kUsage, fmt::format("cannot write '{}': {}", path, std::strerror(error))};
}

constexpr int kIsLocked = -2;

// Opens and locks the file; kIsLocked: another process has locked it.
int open_locked(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(fd);
    return kIsLocked;
  }
  return fd;
}

Error is_measured(const std::string& path) {
  return {ErrorKind::kUsage,
          fmt::format("another measurement is writing to '{}': give another file with -o, and "
                      "merge them later",
                      path)};
}

}  // namespace

Expected<void> check_not_measured(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  const int fd = open_locked(path);
  if (fd == kIsLocked) return tl::unexpected(is_measured(path));
  if (fd >= 0) close(fd);
  return {};
}

Expected<std::unique_ptr<DataFile>> DataFile::open(const std::string& path, const Build& build) {
  std::unique_ptr<DataFile> file(new DataFile(path));
  struct stat info {};
  file->was_there_ = stat(path.c_str(), &info) == 0;
  if (file->was_there_) {
    if (auto loaded = file->load(build); !loaded) return tl::unexpected(loaded.error());
  } else {
    file->data_.build = build;
  }
  if (auto written = file->rewrite(); !written) return tl::unexpected(written.error());
  return file;
}

DataFile::~DataFile() {
  if (fd_ >= 0) close(fd_);
  if (locked_fd_ >= 0) close(locked_fd_);
}

Expected<void> DataFile::load(const Build& build) {
  locked_fd_ = open_locked(path_);
  if (locked_fd_ == kIsLocked) return tl::unexpected(is_measured(path_));
  auto read = read_cover(path_);
  if (!read) return tl::unexpected(read.error());
  CoverData wanted;
  wanted.build = build;
  if (auto same = check_same_build(read->data, path_, wanted, build.program); !same) {
    const bool is_other_program = read->data.build.hash != build.hash;
    if (!is_other_program) return tl::unexpected(same.error());
    return usage_error(fmt::format(
        "'{}' is of another build of the program (of '{}'): remove it, or name another file (with "
        "-o, and for snag run with --cover-file)",
        path_, read->data.build.program));
  }
  bad_lines_ = read->bad_lines;
  // The lost lines may have held locations: scan all code again.
  if (!read->data.is_complete) read->data.forget_scans();
  data_ = in_order(read->data);
  return {};
}

Expected<void> DataFile::rewrite() {
  auto file = FileBeside::open(path_, mode_of_new_file(), O_APPEND);
  if (!file) return tl::unexpected(file.error());
  flock(file->fd(), LOCK_EX | LOCK_NB);
  const std::string text = writer_.news(data_, true);
  size_ = text.size();
  if (write_all(file->fd(), text) != text.size()) return tl::unexpected(cannot_write(path_, errno));
  if (auto done = file->take_place(); !done) return done;
  fd_ = file->release();
  return {};
}

Expected<void> DataFile::append(bool is_last) {
  unwritten_ += writer_.news(data_, is_last);
  if (is_last && data_.is_complete) unwritten_ += end_of_file();
  if (unwritten_.empty()) return {};
  if (write_all(fd_, unwritten_) == unwritten_.size()) {
    size_ += unwritten_.size();
    unwritten_.clear();
    return {};
  }
  const int error = errno;
  // Half a record would spoil the one behind it.
  if (ftruncate(fd_, static_cast<off_t>(size_)) != 0) unwritten_.insert(0, 1, '\n');
  return tl::unexpected(cannot_write(path_, error));
}

void DataFile::abandon() {
  if (!was_there_) {
    std::remove(path_.c_str());
  } else if (data_.is_complete) {
    write_all(fd_, end_of_file());  // as it was before
  }
}

}  // namespace snag::coverage
