#include "tool/toolchain/resources.h"

#include <cstdlib>
#include <filesystem>

namespace snag::toolchain {

Resources resources_of(const std::string& executable) {
  return {std::filesystem::path(executable).parent_path().parent_path().string()};
}

Resources find_resources() {
  const char* prefix = std::getenv(kPrefixVariable);
  if (prefix != nullptr && *prefix != '\0') return {prefix};
  return resources_of(std::filesystem::read_symlink("/proc/self/exe").string());
}

}  // namespace snag::toolchain
