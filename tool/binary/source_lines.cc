#include "tool/binary/source_lines.h"

#include <sys/stat.h>

#include <fstream>

namespace snag::binary {

const std::vector<std::string>& SourceLines::lines(const std::string& path) {
  constexpr off_t kMaxBytes = 16 << 20;  // no source is longer; the path comes from the program
  const auto [entry, is_new] = files_.try_emplace(path);
  if (is_new) {
    struct stat info {};
    if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= kMaxBytes) {
      std::ifstream file(path);
      for (std::string text; std::getline(file, text);) entry->second.push_back(text);
    }
  }
  return entry->second;
}

std::string SourceLines::line(const std::string& path, int number) {
  const std::vector<std::string>& all = lines(path);
  const bool exists = number > 0 && static_cast<std::size_t>(number) <= all.size();
  return exists ? all[static_cast<std::size_t>(number) - 1] : "";
}

}  // namespace snag::binary
