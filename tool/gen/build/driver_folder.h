// The folder in which the driver of a session is built, in that of the results. It is removed at
// the end, unless somebody wants to keep it or traces need it. A session that is killed cannot do
// that: whoever makes the next folder beside it does.
#pragma once

#include <string>

#include "tool/base/error.h"

namespace snag::gen {

class DriverFolder {
 public:
  // A new one below `out`.
  static Expected<DriverFolder> make(const std::string& out);
  // One that the user has named: it stays.
  static DriverFolder named(const std::string& path) { return DriverFolder(path, -1); }

  DriverFolder(DriverFolder&& other) noexcept;
  DriverFolder& operator=(DriverFolder&&) = delete;
  ~DriverFolder();

  void keep();
  bool is_kept() const { return lock_ < 0; }
  const std::string& path() const { return path_; }

 private:
  DriverFolder(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}

  std::string path_;
  int lock_;  // on the file that says it is not to stay; -1: it is
};

}  // namespace snag::gen
