#include "tool/binary/module_map.h"

namespace snag::binary {

ModulePc ModuleMap::to_module_pc(std::uint64_t pc) const {
  for (std::size_t i = 0; i < modules_.size(); ++i) {
    const ModuleInfo& module = modules_[i];
    // A return address may lie just behind the end.
    if (pc >= module.begin && pc <= module.end) {
      return make_module_pc(static_cast<std::uint32_t>(i), pc - module.base);
    }
  }
  return 0;
}

const ModuleInfo* ModuleMap::module_at(ModulePc pc) const {
  const std::size_t module = module_of(pc);
  return pc != 0 && module < modules_.size() ? &modules_[module] : nullptr;
}

}  // namespace snag::binary
