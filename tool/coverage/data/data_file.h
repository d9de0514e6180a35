// The data file of a measurement in progress.
#pragma once

#include <memory>
#include <string>

#include "tool/base/error.h"
#include "tool/coverage/data/data.h"
#include "tool/coverage/data/file.h"

namespace snag::coverage {

class DataFile {
 public:
  // Creates the file, or continues an existing one of the same build. Locks out other measurements.
  static Expected<std::unique_ptr<DataFile>> open(const std::string& path, const Build& build);
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;
  ~DataFile();

  CoverData& data() { return data_; }
  const std::string& path() const { return path_; }
  // How many lines of the existing file could not be read.
  std::size_t bad_lines() const { return bad_lines_; }

  // Writes what is new. What cannot be written now is tried again the next time.
  Expected<void> append(bool is_last);
  // Nothing was measured: removes the file if this measurement created it.
  void abandon();

 private:
  explicit DataFile(std::string path) : path_(std::move(path)) {}
  Expected<void> load(const Build& build);
  Expected<void> rewrite();

  std::string path_;
  CoverData data_;
  RecordWriter writer_;
  std::string unwritten_;
  std::size_t size_ = 0;  // up to the last complete record
  std::size_t bad_lines_ = 0;
  int fd_ = -1;
  int locked_fd_ = -1;  // the existing file, which is replaced
  bool was_there_ = false;
};

// An error if a measurement is writing to the file.
Expected<void> check_not_measured(const std::string& path);

}  // namespace snag::coverage
