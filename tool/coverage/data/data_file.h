// The data file of a measurement that is going on.
#pragma once

#include <memory>
#include <string>

#include "tool/base/error.h"
#include "tool/coverage/data/data.h"
#include "tool/coverage/data/file.h"

namespace snag::coverage {

class DataFile {
 public:
  // Makes the file, or goes on with the one that is there if it is of the same build. Nobody else
  // may measure into it meanwhile.
  static Expected<std::unique_ptr<DataFile>> open(const std::string& path, const Build& build);
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;
  ~DataFile();

  CoverData& data() { return data_; }
  const std::string& path() const { return path_; }
  // Lines of the file that was there and could not be read.
  std::size_t bad_lines() const { return bad_lines_; }

  // Writes what is new. What cannot be written now is tried again the next time.
  Expected<void> append(bool is_last);
  // Nothing was measured: a file that was not there before goes away again.
  void abandon();

 private:
  explicit DataFile(std::string path) : path_(std::move(path)) {}
  Expected<void> load(const Build& build);
  Expected<void> rewrite();

  std::string path_;
  CoverData data_;
  RecordWriter writer_;
  std::string unwritten_;
  std::size_t size_ = 0;  // of what is whole
  std::size_t bad_lines_ = 0;
  int fd_ = -1;
  int locked_fd_ = -1;  // of the file that was there, which is replaced
  bool was_there_ = false;
};

// An error if a measurement is writing to the file.
Expected<void> check_not_measured(const std::string& path);

}  // namespace snag::coverage
