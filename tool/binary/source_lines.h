// Lines of source files, unchanged. A file that cannot be read has no lines.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace snag::binary {

class SourceLines {
 public:
  // Counted from 1; empty if there is no such line.
  std::string line(const std::string& path, int number);
  // The number of lines; 0 if the file cannot be read.
  int count(const std::string& path) { return static_cast<int>(lines(path).size()); }

 private:
  const std::vector<std::string>& lines(const std::string& path);

  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace snag::binary
