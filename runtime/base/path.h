// The last name of a path.
#pragma once

#include <string.h>

namespace snag::rt {

// "libc.so.6" of "/lib/libc.so.6".
inline const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

}  // namespace snag::rt
