#include "tool/binary/program_check.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "arch/arch.h"
#include "protocol/shared_memory.h"

namespace snag::binary {
namespace {

struct FileDescriptor {
  int fd;
  explicit FileDescriptor(int descriptor) : fd(descriptor) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd >= 0) close(fd);
  }
};

// The initial value of a variable in one of the file's sections.
std::optional<std::uint32_t> value_of(Elf* elf, const GElf_Sym& symbol) {
  Elf_Scn* section = elf_getscn(elf, symbol.st_shndx);
  GElf_Shdr header;
  if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return std::nullopt;
  const Elf_Data* data = elf_rawdata(section, nullptr);
  const std::uint64_t offset = symbol.st_value - header.sh_addr;
  std::uint32_t value = 0;
  if (data == nullptr || data->d_buf == nullptr || symbol.st_value < header.sh_addr ||
      data->d_size < sizeof(value) || offset > data->d_size - sizeof(value)) {
    return std::nullopt;
  }
  std::memcpy(&value, static_cast<const char*>(data->d_buf) + offset, sizeof(value));
  return value;
}

struct RuntimeInProgram {
  bool present = false;
  std::optional<std::uint32_t> version;
};

// Searches the dynamic symbols, then all symbols, for the runtime's own.
RuntimeInProgram find_runtime(Elf* elf) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if (header.sh_type != SHT_DYNSYM && header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
    for (int i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, i, &symbol) == nullptr || symbol.st_shndx == SHN_UNDEF) continue;
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr && std::string_view(name) == kRuntimeSymbol)
        return {true, value_of(elf, symbol)};
    }
  }
  return {};
}

bool has_interpreter(Elf* elf) {
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr && header.p_type == PT_INTERP) {
      return true;
    }
  }
  return false;
}

Expected<void> check_elf(Elf* elf, const std::string& path) {
  GElf_Ehdr header;
  if (elf == nullptr || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == nullptr) {
    return nothing_ran(fmt::format("'{}' is damaged: its ELF header cannot be read", path));
  }
  if (header.e_machine != kElfMachine) {
    return nothing_ran(fmt::format("'{}' is not an {} program: Snag works on {} only", path,
                                   kMachineName, kMachineName));
  }
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
    return nothing_ran(
        fmt::format("'{}' is an object file, not a program: link it with snag c++", path));
  }
  const RuntimeInProgram runtime = find_runtime(elf);
  if (!has_interpreter(elf)) {
    if (header.e_type == ET_DYN && !runtime.present) {
      return nothing_ran(
          fmt::format("'{}' is a shared library or static program: give a dynamically "
                      "linked program that was built with snag c++",
                      path));
    }
    return nothing_ran(
        fmt::format("'{}' is statically linked: link it dynamically, with snag c++", path));
  }
  if (!runtime.present) {
    return nothing_ran(fmt::format(
        "'{}' was not built with Snag: compile and link it with snag c++ (or snag cc for C)",
        path));
  }
  if (runtime.version && *runtime.version != kProtocolId) {
    const std::uint32_t version = *runtime.version >> kProtocolTableBits;
    return nothing_ran(fmt::format("'{}' was built with {} Snag than this one: link it again", path,
                                   version < kProtocolVersion   ? "an older"
                                   : version > kProtocolVersion ? "a newer"
                                                                : "another"));
  }
  return {};
}

}  // namespace

Expected<void> check_program(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return nothing_ran(fmt::format("there is no program '{}'", path));
    }
    return nothing_ran(fmt::format("cannot look at '{}': {}", path, std::strerror(errno)));
  }
  if (S_ISDIR(info.st_mode))
    return nothing_ran(fmt::format("'{}' is a folder, not a program", path));
  if (!S_ISREG(info.st_mode)) return nothing_ran(fmt::format("'{}' is not a regular file", path));
  if (access(path.c_str(), X_OK) != 0) {
    return nothing_ran(
        fmt::format("'{}' is not executable: chmod +x it, if it is a program", path));
  }
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char magic[4] = {};
  if (file.fd < 0 || pread(file.fd, magic, sizeof(magic), 0) < 2) {
    return nothing_ran(fmt::format("'{}' cannot be read, or is empty", path));
  }
  if (magic[0] == '#' && magic[1] == '!') {
    return nothing_ran(
        fmt::format("'{}' is a script: give the instrumented program that it starts", path));
  }
  if (std::memcmp(magic, ELFMAG, SELFMAG) != 0) {
    return nothing_ran(
        fmt::format("'{}' is not an ELF program: give one that was built with snag c++", path));
  }
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_begin(file.fd, ELF_C_READ_MMAP, nullptr),
                                                elf_end);
  return check_elf(elf.get(), path);
}

Expected<std::uint64_t> hash_file(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) {
    return nothing_ran(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  }
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<char> buffer(1 << 20);
  while (true) {
    const ssize_t count = TEMP_FAILURE_RETRY(read(file.fd, buffer.data(), buffer.size()));
    if (count < 0)
      return nothing_ran(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
    if (count == 0) break;
    XXH3_64bits_update(state.get(), buffer.data(), static_cast<std::size_t>(count));
  }
  return XXH3_64bits_digest(state.get());
}

}  // namespace snag::binary
