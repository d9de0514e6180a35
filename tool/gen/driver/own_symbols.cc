#include "tool/gen/driver/own_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace snag_gen {
namespace {

class OwnFile {
 public:
  OwnFile() {
    const int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    struct stat info;
    if (fstat(descriptor, &info) == 0 && info.st_size > 0) {
      size_ = static_cast<std::size_t>(info.st_size);
      void* memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
      if (memory != MAP_FAILED) bytes_ = static_cast<const char*>(memory);
    }
    close(descriptor);
  }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  ~OwnFile() {
    if (bytes_) munmap(const_cast<char*>(bytes_), size_);
  }

  // Nothing if the file is shorter.
  template <class T>
  const T* at(std::uint64_t offset, std::uint64_t count = 1) const {
    if (!bytes_ || offset > size_ || count > (size_ - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(bytes_ + offset);
  }

 private:
  const char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

void find_own_functions(std::unordered_map<std::string, std::uintptr_t>& addresses) {
  const OwnFile file;
  const auto* header = file.at<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  const std::uintptr_t moved = getauxval(AT_ENTRY) - header->e_entry;
  const auto* sections = file.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  for (unsigned i = 0; sections && i < header->e_shnum; ++i) {
    const Elf64_Shdr& table = sections[i];
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum) continue;
    const Elf64_Shdr& texts = sections[table.sh_link];
    const auto* names = file.at<char>(texts.sh_offset, texts.sh_size);
    const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    const auto* symbols = file.at<Elf64_Sym>(table.sh_offset, count);
    if (!names || !symbols || texts.sh_size == 0 || names[texts.sh_size - 1] != '\0') continue;
    for (std::uint64_t s = 0; s < count; ++s) {
      const Elf64_Sym& symbol = symbols[s];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
          symbol.st_name >= texts.sh_size)
        continue;
      const auto wanted = addresses.find(names + symbol.st_name);
      if (wanted != addresses.end()) wanted->second = moved + symbol.st_value;
    }
  }
}

}  // namespace snag_gen
