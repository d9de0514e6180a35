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
  // A symbolic link at the path stays, and the file that it leads to is replaced. The mode of a
  // file that is there is kept; `mode` is for a new one. `flags` as for open.
  static Expected<FileBeside> open(const std::string& path, mode_t mode, int flags = 0);
  FileBeside(FileBeside&& other) noexcept;
  FileBeside& operator=(FileBeside&&) = delete;
  ~FileBeside();

  int fd() const { return fd_; }
  const std::string& name() const { return name_; }
  Expected<void> take_place();
  int release();  // the descriptor is the caller's from now on

 private:
  FileBeside(std::string path, std::string name, int fd)
      : path_(std::move(path)), name_(std::move(name)), fd_(fd) {}

  std::string path_, name_;  // the name is empty once it has taken its place
  int fd_;
};

// A path that is not a regular file (a device, a FIFO) is written to instead of replaced.
Expected<void> write_whole_file(const std::string& path, std::string_view text);
// The text of a regular file, of which at most `most` bytes are read. The message of the error is
// the reason alone, for a sentence of the caller's.
Expected<std::string> read_file(const std::string& path, std::size_t most);
// What a new file may be for others, as the user wants it.
mode_t mode_of_new_file();

}  // namespace snag
