// The folder in which a session builds its driver, inside the folder of the results. The session
// removes it at the end, unless the user wants to keep it or traces need it. If the session is
// killed, the next session in the same folder removes it.
#pragma once

#include <string>

#include "tool/base/error.h"

namespace snag::gen {

class DriverFolder {
 public:
  // A new one below `out`.
  static Expected<DriverFolder> make(const std::string& out);
  // One that the user has named, which stays.
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
  int lock_;  // on the file that marks the folder as temporary; -1: the folder stays
};

}  // namespace snag::gen
