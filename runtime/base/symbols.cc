#include "runtime/base/symbols.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "arch/arch.h"

namespace snag::rt {
namespace {

struct File {
  const char* begin = nullptr;
  std::uint64_t size = 0;

  explicit File(const char* path) {
    const long file = raw_syscall(SYS_openat, AT_FDCWD, as_arg(path), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat info {};
    if (raw_syscall(SYS_fstat, file, as_arg(&info)) == 0 && info.st_size > 0) {
      const long memory = raw_syscall(SYS_mmap, 0, info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory > 0) {
        begin = reinterpret_cast<const char*>(memory);
        size = static_cast<std::uint64_t>(info.st_size);
      }
    }
    raw_syscall(SYS_close, file);
  }
  ~File() {
    if (begin) raw_syscall(SYS_munmap, as_arg(begin), static_cast<long>(size));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // Null if the file is too short.
  template <class T>
  const T* at(std::uint64_t offset, std::uint64_t count = 1) const {
    if (offset > size || count > (size - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(begin + offset);
  }
};

// Encodes a part of a name as the C++ compiler does: its length, then the text.
std::size_t encoded_length(const char* symbol, const char* part, std::size_t length) {
  constexpr char kAnonymous[] = "(anonymous namespace)", kEncoded[] = "12_GLOBAL__N_1";
  if (length == sizeof kAnonymous - 1 && memcmp(part, kAnonymous, length) == 0)
    return strncmp(symbol, kEncoded, sizeof kEncoded - 1) == 0 ? sizeof kEncoded - 1 : 0;
  std::size_t number = 0, digits = 0;
  for (; symbol[digits] >= '0' && symbol[digits] <= '9' && digits < 6; ++digits)
    number = number * 10 + static_cast<std::size_t>(symbol[digits] - '0');
  return digits != 0 && number == length && strncmp(symbol + digits, part, length) == 0
             ? digits + length
             : 0;
}

}  // namespace

bool names_function(const char* symbol, const char* name, std::size_t length) {
  if (strncmp(symbol, name, length) == 0 && symbol[length] == 0) return true;
  if (symbol[0] != '_' || symbol[1] != 'Z') return false;
  symbol += 2;
  const bool is_nested = *symbol == 'N';
  if (is_nested) {
    ++symbol;
    while (*symbol == 'K' || *symbol == 'V') ++symbol;
  }
  if (*symbol == 'L') ++symbol;  // static
  const char* const end = name + length;
  for (;;) {
    const char* next = name;
    while (next != end && !(next + 1 < end && next[0] == ':' && next[1] == ':')) ++next;
    const std::size_t taken = encoded_length(symbol, name, static_cast<std::size_t>(next - name));
    if (taken == 0) return false;
    symbol += taken;
    if (next == end) break;
    name = next + 2;
  }
  return is_nested ? *symbol == 'E' : *symbol < '0' || *symbol > '9';
}

bool for_each_function(const char* path, UseFunction use, void* context) {
  const File file(path);
  const auto* header = file.begin ? file.at<Elf64_Ehdr>(0) : nullptr;
  if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  const auto* sections = file.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  if (!sections) return false;
  bool has_all = false;
  for (int i = 0; i < header->e_shnum; ++i) has_all |= sections[i].sh_type == SHT_SYMTAB;
  for (int i = 0; i < header->e_shnum; ++i) {
    const Elf64_Shdr& table = sections[i];
    if (table.sh_type != (has_all ? SHT_SYMTAB : SHT_DYNSYM) || table.sh_link >= header->e_shnum)
      continue;
    const Elf64_Shdr& names = sections[table.sh_link];
    const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    const auto* symbols = file.at<Elf64_Sym>(table.sh_offset, count);
    const auto* text = file.at<char>(names.sh_offset, names.sh_size);
    if (!symbols || !text || names.sh_size == 0 || text[names.sh_size - 1] != 0) return false;
    for (std::uint64_t n = 0; n < count; ++n) {
      const Elf64_Sym& symbol = symbols[n];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
          symbol.st_name >= names.sh_size)
        continue;
      use(context, text + symbol.st_name, symbol.st_value, symbol.st_size);
    }
  }
  return true;
}

}  // namespace snag::rt
