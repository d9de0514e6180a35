// Where the modules of one process lie: its executable and its shared libraries.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "protocol/shared_memory.h"

namespace snag::binary {

struct ModuleInfo {
  std::uint64_t base = 0;  // load bias
  std::uint64_t begin = 0, end = 0;
  std::string path;
};

class ModuleMap {
 public:
  ModuleMap() = default;
  explicit ModuleMap(std::vector<ModuleInfo> modules) : modules_(std::move(modules)) {}

  const std::vector<ModuleInfo>& modules() const { return modules_; }
  // The position-independent form of a program counter; 0 if it is in no module.
  ModulePc to_module_pc(std::uint64_t pc) const;
  // nullptr if there is no such module.
  const ModuleInfo* module_at(ModulePc pc) const;

 private:
  std::vector<ModuleInfo> modules_;
};

}  // namespace snag::binary
