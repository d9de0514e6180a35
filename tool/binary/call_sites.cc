#include "tool/binary/call_sites.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "arch/arch.h"

namespace snag::binary {
namespace {

using Targets = std::unordered_map<std::uint64_t, int>;
using Classify = std::function<std::optional<int>(std::string_view)>;

struct Section {
  GElf_Shdr header;
  std::string_view name;
  const std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
};

// The wanted functions that the file defines, and the slots through which it calls those of other
// files.
class CallFinder {
 public:
  CallFinder(Elf* elf, const Classify& classify) : elf_(elf), classify_(classify) {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf, &names) != 0) return;
    for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf, scn)) != nullptr;) {
      Section section;
      if (gelf_getshdr(scn, &section.header) == nullptr) continue;
      const char* name = elf_strptr(elf, names, section.header.sh_name);
      section.name = name != nullptr ? name : "";
      if (Elf_Data* data = elf_rawdata(scn, nullptr);
          data != nullptr && section.header.sh_type != SHT_NOBITS && data->d_buf != nullptr) {
        section.bytes = static_cast<const std::uint8_t*>(data->d_buf);
        section.size = data->d_size;
      }
      sections_.push_back(section);
    }
  }

  std::vector<ClassifiedCall> find() {
    for (const Section& section : sections_) {
      const GElf_Word type = section.header.sh_type;
      if (type == SHT_SYMTAB || type == SHT_DYNSYM) add_symbols(section);
      if (type == SHT_RELA) add_slots(section);
    }
    for (const Section& section : sections_) {
      if (is_code(section) && section.name.starts_with(".plt")) add_stubs(section);
    }
    std::vector<ClassifiedCall> sites;
    if (hooks_.empty() && slots_.empty()) return sites;
    for (const Section& section : sections_) {
      if (is_code(section) && !section.name.starts_with(".plt")) scan(section, sites);
    }
    std::sort(sites.begin(), sites.end(), [](const ClassifiedCall& a, const ClassifiedCall& b) {
      return a.return_address < b.return_address;
    });
    return sites;
  }

 private:
  static bool is_code(const Section& section) {
    return (section.header.sh_flags & SHF_EXECINSTR) != 0 && section.bytes != nullptr;
  }

  void add_symbols(const Section& section) {
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(section.bytes);
    for (std::size_t i = 0; i < section.size / sizeof(Elf64_Sym); ++i) {
      if (symbols[i].st_shndx == SHN_UNDEF || symbols[i].st_value == 0) continue;
      if (const auto kind = kind_of(section, symbols[i]))
        hooks_.emplace(symbols[i].st_value, *kind);
    }
  }

  std::optional<int> kind_of(const Section& table, const Elf64_Sym& symbol) {
    const char* name = elf_strptr(elf_, table.header.sh_link, symbol.st_name);
    return name != nullptr ? classify_(name) : std::nullopt;
  }

  // Relocations that put the address of a hook into a slot.
  void add_slots(const Section& section) {
    const Section* table = section_at(section.header.sh_link);
    if (table == nullptr || table->header.sh_type != SHT_DYNSYM || table->bytes == nullptr) return;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(table->bytes);
    const std::size_t symbol_count = table->size / sizeof(Elf64_Sym);
    const auto* relocations = reinterpret_cast<const Elf64_Rela*>(section.bytes);
    for (std::size_t i = 0; i < section.size / sizeof(Elf64_Rela); ++i) {
      const std::uint64_t type = ELF64_R_TYPE(relocations[i].r_info);
      const std::uint64_t symbol = ELF64_R_SYM(relocations[i].r_info);
      if (!is_function_slot(type) || symbol >= symbol_count) continue;
      if (const auto kind = kind_of(*table, symbols[symbol]))
        slots_.emplace(relocations[i].r_offset, *kind);
    }
  }

  const Section* section_at(GElf_Word index) const {
    // Section number 0 of a file is no section, and not in the list.
    return index >= 1 && index <= sections_.size() ? &sections_[index - 1] : nullptr;
  }

  // Stubs that jump through such slots.
  void add_stubs(const Section& section) {
    for (std::size_t at = 0; at < section.size; ++at) {
      const std::uint64_t address = section.header.sh_addr + at;
      const Branch branch = decode_branch(section.bytes + at, section.size - at, address);
      if (branch.kind != Branch::kJumpThroughSlot) continue;
      const auto slot = slots_.find(branch.target);
      if (slot != slots_.end()) hooks_.emplace(address - at % kPltEntrySize, slot->second);
    }
  }

  void scan(const Section& section, std::vector<ClassifiedCall>& sites) const {
    for (std::size_t at = 0; at < section.size; ++at) {
      const Branch branch =
          decode_branch(section.bytes + at, section.size - at, section.header.sh_addr + at);
      if (branch.kind != Branch::kCall && branch.kind != Branch::kCallThroughSlot) continue;
      const Targets& targets = branch.kind == Branch::kCall ? hooks_ : slots_;
      const auto target = targets.find(branch.target);
      if (target != targets.end()) sites.push_back({branch.next, target->second});
    }
  }

  Elf* elf_;
  const Classify& classify_;
  std::vector<Section> sections_;
  Targets hooks_;  // by address
  Targets slots_;  // by address of the slot
};

}  // namespace

std::optional<LocationKind> kind_of_hook(std::string_view name) {
  // (Those of members of groups are named like the compiler's: protocol/access_groups.h.)
  const bool is_tsan = name.starts_with("__tsan_") || name.starts_with("__snag_");
  if (!is_tsan && !name.starts_with("__wrap_mem")) return std::nullopt;
  name.remove_prefix(std::string_view("__tsan_").size());
  if (name == "memset") return LocationKind::kWrite;
  if (name == "memcpy" || name == "memmove") return LocationKind::kAccess;
  if (!is_tsan) return std::nullopt;
  if (name == "func_entry") return LocationKind::kEntry;
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (name.starts_with("atomic")) {
    if (has("fence")) return std::nullopt;
    if (has("_load")) return LocationKind::kRead;
    return has("_store") ? LocationKind::kWrite : LocationKind::kUpdate;
  }
  if (has("read_write")) return LocationKind::kUpdate;
  if (name == "vptr_update" || has("write")) return LocationKind::kWrite;
  if (has("read") && !has("thread")) return LocationKind::kRead;
  return std::nullopt;
}

Expected<std::vector<ClassifiedCall>> find_calls(const std::string& path,
                                                 const Classify& classify) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return usage_error(fmt::format("cannot read the code of '{}': {}", path, std::strerror(errno)));
  }
  elf_version(EV_CURRENT);
  std::vector<ClassifiedCall> sites;
  {
    const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(fd, ELF_C_READ_MMAP, nullptr), elf_end);
    GElf_Ehdr header;
    if (elf != nullptr && elf_kind(elf.get()) == ELF_K_ELF &&
        gelf_getehdr(elf.get(), &header) != nullptr && header.e_machine == kElfMachine &&
        header.e_ident[EI_CLASS] == ELFCLASS64)
      sites = CallFinder(elf.get(), classify).find();
  }
  close(fd);
  return sites;
}

Expected<std::vector<CallSite>> find_call_sites(const std::string& path) {
  const auto calls = find_calls(path, [](std::string_view name) -> std::optional<int> {
    const auto kind = kind_of_hook(name);
    return kind ? std::optional(static_cast<int>(*kind)) : std::nullopt;
  });
  if (!calls) return tl::unexpected(calls.error());
  std::vector<CallSite> sites;
  for (const ClassifiedCall& call : *calls)
    sites.push_back({call.return_address, static_cast<LocationKind>(call.kind)});
  return sites;
}

}  // namespace snag::binary
