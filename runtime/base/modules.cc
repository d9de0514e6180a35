#include "runtime/base/modules.h"

#include <limits.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "runtime/base/arena.h"

namespace snag::rt {

constinit CodeRange code_ranges[kMaxRanges]{};
constinit int code_range_count = 0;

namespace {

bool system_library(const char* path) {
  return strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0 ||
         strstr(path, "vdso") != nullptr;
}

struct ModuleList {
  Module* modules;
  std::uint32_t* count;
};

int add_module(dl_phdr_info* info, std::size_t, void* opaque) {
  const auto* list = static_cast<const ModuleList*>(opaque);
  std::uint32_t& count = *list->count;
  if (count == kMaxModules) return 1;
  std::uint64_t begin = UINT64_MAX, end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
    const std::uint64_t from = info->dlpi_addr + header.p_vaddr;
    if (from < begin) begin = from;
    if (from + header.p_memsz > end) end = from + header.p_memsz;
  }
  if (begin >= end) return 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (list->modules[i].begin == begin && list->modules[i].end == end) return 0;  // known
  }
  const bool executable = count == 0;
  Module& module = list->modules[count];
  module.base = info->dlpi_addr;
  module.begin = begin;
  module.end = end;
  if (executable) {
    const auto length = readlink("/proc/self/exe", module.path, sizeof module.path - 1);
    module.path[length > 0 ? length : 0] = 0;
  } else {
    strncpy(module.path, info->dlpi_name, sizeof module.path - 1);
  }
  if (executable || (info->dlpi_name[0] && !system_library(info->dlpi_name))) {
    if (code_range_count < kMaxRanges) {
      code_ranges[code_range_count++] = {begin, end - begin, count,
                                         map_private<std::uint8_t>(end - begin)};
    }
  }
  ++count;
  return 0;
}

}  // namespace

std::uint64_t pc_at_position(std::uint64_t position) {
  --position;
  for (int i = 0; i < code_range_count; ++i) {
    if (position < code_ranges[i].size) return code_ranges[i].begin + position;
    position -= code_ranges[i].size;
  }
  return 0;
}

void find_modules(Module* modules, std::uint32_t* count) {
  ModuleList list{modules, count};
  dl_iterate_phdr(add_module, &list);
}

void find_modules(Shared* shared) {
  shared->module_count = 0;
  code_range_count = 0;
  find_modules(shared->modules, &shared->module_count);
}

void find_new_modules(Shared* shared) {
  const int before = code_range_count;
  find_modules(shared->modules, &shared->module_count);
  // They are at the same address in every run of a server, so what earlier runs learned stays
  // valid.
  for (int range = before; range < code_range_count; ++range) {
    for (std::uint32_t i = 0; i < shared->run.points_used; ++i) {
      std::uint64_t& pc = shared->points[i];
      // A replay's points are relative to a module until it is loaded.
      if (module_of(pc) != 0 && absolute_pc(shared, pc) != 0) pc = absolute_pc(shared, pc);
      if (pc - code_ranges[range].begin < code_ranges[range].size) *pc_flags(pc) = kPointPc;
    }
  }
}

ModulePc module_pc(const Shared* shared, std::uint64_t pc) {
  for (std::uint32_t i = 0; i < shared->module_count; ++i) {
    const Module& module = shared->modules[i];
    if (pc >= module.begin && pc < module.end) return make_module_pc(i, pc - module.base);
  }
  return make_module_pc(0xffff, 0);
}

std::uint64_t absolute_pc(const Shared* shared, ModulePc pc) {
  const std::uint32_t module = module_of(pc);
  return module < shared->module_count ? shared->modules[module].base + offset_of(pc) : 0;
}

// Where the runtime's own code lies (see merge.ld); nowhere in unit tests.
extern "C" __attribute__((weak)) const char __start_snag_text[];
extern "C" __attribute__((weak)) const char __stop_snag_text[];
OwnCode runtime_code() {
  const auto begin = reinterpret_cast<std::uint64_t>(__start_snag_text);
  return {begin, reinterpret_cast<std::uint64_t>(__stop_snag_text) - begin};
}
namespace {
bool is_runtime(std::uint64_t pc) { return pc - runtime_code().begin < runtime_code().size; }
}  // namespace

std::uint64_t search_stack(std::uint64_t pc, void* frame) {
  for (int i = 1; i < code_range_count; ++i) {
    if (pc - code_ranges[i].begin < code_ranges[i].size) return 0;  // instrumented itself
  }
  const auto* word = static_cast<const std::uint64_t*>(frame);
  // Far enough for the frames of a library function or two. The end of the stack is farther away,
  // because the frames of main or of the thread's start lie there.
  for (int i = 1; i < 96; ++i) {
    if (word[i] - code_ranges[0].begin - 8 < code_ranges[0].size - 8 && !is_runtime(word[i]) &&
        follows_call(reinterpret_cast<const std::uint8_t*>(word[i]))) {
      return word[i];
    }
  }
  return 0;
}

}  // namespace snag::rt
