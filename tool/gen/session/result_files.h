// The files of a session: its folder, and unused names in it. Sessions may share a folder, also at
// the same time; existing files are never replaced.
#pragma once

#include <string>

#include "tool/base/error.h"

namespace snag::gen {

// The folder for results, made if it does not exist. Removed at the end if it was made here and is
// still empty.
class ResultFolder {
 public:
  // An error if it cannot be made or written to: reported before the session rather than after it.
  static Expected<ResultFolder> make(const std::string& path);
  ResultFolder(ResultFolder&& other) noexcept;
  ResultFolder& operator=(ResultFolder&&) = delete;
  ~ResultFolder();

 private:
  ResultFolder(std::string path, bool is_made) : path_(std::move(path)), is_made_(is_made) {}

  std::string path_;
  bool is_made_;  // by us
};

// Writes a new file, and removes it if that fails.
Expected<void> write_new_file(const std::string& path, const std::string& text);

// Writes STEM-N.test with the first N for which there is neither that file nor STEM-N_test.cc, and
// returns STEM-N.
Expected<std::string> write_numbered_test(const std::string& stem, const std::string& text);

// A file that has no name in any folder, for a test that cannot be written: other processes can
// read it by its path.
class NamelessFile {
 public:
  static Expected<NamelessFile> make(const std::string& text);
  NamelessFile(NamelessFile&& other) noexcept;
  NamelessFile& operator=(NamelessFile&&) = delete;
  ~NamelessFile();
  const std::string& path() const { return path_; }

 private:
  explicit NamelessFile(int descriptor);

  int descriptor_;
  std::string path_;
};

}  // namespace snag::gen
