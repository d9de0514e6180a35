// Whole files: read at once, and written so that they exist completely or not at all: under a
// temporary name next to the final one, then renamed.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "tool/base/error.h"

namespace snag {

// How much of the text was written.
std::size_t write_all(int fd, std::string_view text);

// A new file next to a path. It is removed unless take_place() is called.
class FileBeside {
 public:
  // A symbolic link at the path stays, and the file that it leads to is replaced. An existing file
  // keeps its mode; `mode` is for a new one. `flags` as for open.
  static Expected<FileBeside> open(const std::string& path, mode_t mode, int flags = 0);
  FileBeside(FileBeside&& other) noexcept;
  FileBeside& operator=(FileBeside&&) = delete;
  ~FileBeside();

  int fd() const { return fd_; }
  const std::string& name() const { return name_; }
  Expected<void> take_place();
  int release();  // the caller owns the descriptor from now on

 private:
  FileBeside(std::string path, std::string name, int fd)
      : path_(std::move(path)), name_(std::move(name)), fd_(fd) {}

  std::string path_, name_;  // the name is empty once it has taken its place
  int fd_;
};

// A path that is not a regular file (a device, a FIFO) is written to instead of replaced.
Expected<void> write_whole_file(const std::string& path, std::string_view text);
// The text of a regular file, of which at most `most` bytes are read. The error's message is only
// the reason, which the caller puts into a sentence.
Expected<std::string> read_file(const std::string& path, std::size_t most);
// The permissions of a new file, by the user's umask.
mode_t mode_of_new_file();

}  // namespace snag
