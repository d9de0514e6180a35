// Has a race, and makes it impossible to write about it: a file takes the place of the empty folder
// that VANDAL names.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

class Vandal {
 public:
  int next() { return ++value_; }

 private:
  int value_ = 0;
};

inline const bool is_done = [] {
  const char* folder = std::getenv("VANDAL");
  if (folder && rmdir(folder) == 0) close(open(folder, O_WRONLY | O_CREAT | O_EXCL, 0600));
  return true;
}();
