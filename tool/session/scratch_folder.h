// Folders for temporary files of this tool, by the name snag-XXXXXX. Each is locked as long as its
// owner lives: what an owner that was killed could not remove, the next one removes.
#pragma once

#include <string>

#include "tool/base/error.h"

namespace snag::session {

class ScratchFolder {
 public:
  ScratchFolder() = default;
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&& other) noexcept;
  ~ScratchFolder();

  // In `place`, where it first removes the folders of owners that are gone. Its name is as long
  // each time, which some programs can see.
  static Expected<ScratchFolder> make(const std::string& place);

  const std::string& path() const { return path_; }  // empty: there is none

 private:
  std::string path_;
  int lock_ = -1;
};

}  // namespace snag::session
