#include "coverage/data_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "coverage/merge.h"

namespace snag::coverage {
namespace {

engine::Error cannot_write(const std::string& path, int error) {
  return {engine::ErrorKind::kUsage,
          fmt::format("cannot write '{}': {}", path, std::strerror(error))};
}

// How much of the text was written.
std::size_t write_all(int fd, std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = TEMP_FAILURE_RETRY(write(fd, text.data() + done, text.size() - done));
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

// Opens a new file beside the path; replaced says when it has taken its place.
struct NewFile {
  std::string name;
  int fd;
};
engine::Expected<NewFile> open_beside(const std::string& path) {
  std::string name = path + ".XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC | O_APPEND);
  if (fd < 0) return tl::unexpected(cannot_write(path, errno));
  // mkostemp makes files that only their owner may read.
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(fd, 0666 & ~mask);
  return NewFile{name, fd};
}

engine::Expected<void> fill_and_rename(const NewFile& file, const std::string& path,
                                       std::string_view text) {
  if (write_all(file.fd, text) == text.size() && std::rename(file.name.c_str(), path.c_str()) == 0)
    return {};
  const int error = errno;
  std::remove(file.name.c_str());
  return tl::unexpected(cannot_write(path, error));
}

}  // namespace

engine::Expected<void> write_whole_file(const std::string& path, std::string_view text) {
  auto file = open_beside(path);
  if (!file) return tl::unexpected(file.error());
  auto done = fill_and_rename(*file, path, text);
  close(file->fd);
  return done;
}

engine::Expected<std::unique_ptr<DataFile>> DataFile::open(const std::string& path,
                                                           const Build& build) {
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

engine::Expected<void> DataFile::load(const Build& build) {
  locked_fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (locked_fd_ >= 0 && flock(locked_fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return engine::usage_error(fmt::format(
        "another measurement is writing to '{}': give another file with -o, and merge them later",
        path_));
  }
  auto read = read_cover(path_);
  if (!read) return tl::unexpected(read.error());
  CoverData wanted;
  wanted.build = build;
  if (auto same = check_same_build(read->data, path_, wanted, build.program); !same) {
    const bool is_other_program = read->data.build.hash != build.hash;
    if (!is_other_program) return tl::unexpected(same.error());
    return engine::usage_error(fmt::format(
        "'{}' is of another build of the program (of '{}'): remove it, or give another file with "
        "-o",
        path_, read->data.build.program));
  }
  bad_lines_ = read->bad_lines;
  data_ = in_order(read->data);
  return {};
}

engine::Expected<void> DataFile::rewrite() {
  auto file = open_beside(path_);
  if (!file) return tl::unexpected(file.error());
  fd_ = file->fd;
  flock(fd_, LOCK_EX | LOCK_NB);
  const std::string text = writer_.news(data_, true);
  size_ = text.size();
  return fill_and_rename(*file, path_, text);
}

engine::Expected<void> DataFile::append(bool is_last) {
  unwritten_ += writer_.news(data_, is_last);
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
  if (!was_there_) std::remove(path_.c_str());
}

}  // namespace snag::coverage
