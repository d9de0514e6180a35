// Lines of source files, as they are. What cannot be read has no lines.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace snag::engine {

class SourceLines {
 public:
  // Counted from 1; empty if there is no such line.
  std::string line(const std::string& path, int number);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace snag::engine
