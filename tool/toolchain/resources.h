// Where the installed parts of Snag are.
//
// Build tree and installation have the same layout, relative to the executable `snag`:
//
//   bin/snag   lib/snag/libsnag_runtime.a   lib/snag/exports.list   include/snag/   share/snag/
//
// so that everything is found from the place of the executable, and an installation can be moved.
#pragma once

#include <string>

namespace snag::toolchain {

struct Resources {
  std::string prefix;

  std::string executable() const { return prefix + "/bin/snag"; }
  std::string include_dir() const { return prefix + "/include"; }
  std::string library_dir() const { return prefix + "/lib/snag"; }
  std::string data_dir() const { return prefix + "/share/snag"; }
  // The runtime: an archive with one object, linked into the program under test.
  std::string runtime() const { return library_dir() + "/libsnag_runtime.a"; }
  // Symbols that the program must export, for the linker's --dynamic-list.
  std::string exports() const { return library_dir() + "/exports.list"; }
};

// Environment variable that overrides the prefix found from the executable.
inline constexpr const char* kPrefixVariable = "SNAG_PREFIX";

// Of the running executable. Throws std::system_error when /proc is not mounted.
Resources find_resources();

// Of an executable `<prefix>/bin/<name>`.
Resources resources_of(const std::string& executable);

}  // namespace snag::toolchain
