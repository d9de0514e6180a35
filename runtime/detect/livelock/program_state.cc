#include "runtime/detect/livelock/program_state.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include "arch/arch.h"
#include "runtime/base/arena.h"
#include "runtime/base/modules.h"
#include "runtime/sched/context.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/scheduler_state.h"

// The runtime's own variables: see merge.ld. Nowhere in unit tests.
extern "C" {
extern __attribute__((weak, visibility("hidden"))) const char snag_data_begin[];
extern __attribute__((weak, visibility("hidden"))) const char snag_data_end[];
extern __attribute__((weak, visibility("hidden"))) const char snag_bss_begin[];
extern __attribute__((weak, visibility("hidden"))) const char snag_bss_end[];
}

namespace snag::rt {
namespace {

constexpr std::uint64_t kPage = 4096;
// More takes too long to read again and again.
constexpr std::uint64_t kMostBytes = 16 << 20, kMostMapped = 4ull << 30;

struct Range {
  std::uint64_t begin, end;
};
constinit MmapVector<Range> mappings{};
constinit long pagemap = -1;

std::uint64_t hexadecimal(const char*& at) {
  std::uint64_t value = 0;
  for (;; ++at) {
    const char c = *at;
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return value;
    value = value * 16 + static_cast<std::uint64_t>(digit);
  }
}

// Tables of the runtime; the program maps nothing there by itself.
bool is_table(std::uint64_t address) {
  return address - kFirstTablePlace < table_places.next - kFirstTablePlace;
}

// One line of /proc/self/maps. False: somebody else may write to this memory.
bool note_mapping(const char* line) {
  Range range;
  range.begin = hexadecimal(line);
  ++line;
  range.end = hexadecimal(line);
  ++line;
  if (is_table(range.begin)) return true;
  if (line[3] == 's') {
    const auto shared = reinterpret_cast<std::uint64_t>(sched.shared);
    if (shared >= range.begin && shared < range.end) return true;
    // Caches of libc, which no program writes to.
    return line[1] != 'w' && (line[0] != 'r' || strstr(line, " /usr/") != nullptr);
  }
  if (line[1] == 'w') mappings.push_back(range);
  return true;
}

bool read_mappings() {
  static MmapVector<char> text;
  text.clear();
  const long file = raw_syscall(SYS_openat, AT_FDCWD, as_arg("/proc/self/maps"), O_RDONLY);
  if (file < 0) return false;
  for (;;) {
    constexpr std::size_t kPart = 64 << 10;
    const std::size_t before = text.size();
    text.resize(before + kPart);
    const long got = raw_syscall(SYS_read, file, as_arg(text.data() + before), kPart);
    text.resize(before + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got <= 0) break;
  }
  raw_syscall(SYS_close, file);
  text.push_back(0);
  for (char* line = text.data(); *line != 0;) {
    char* end = strchr(line, '\n');
    if (end == nullptr) break;
    *end = 0;
    if (!note_mapping(line)) return false;
    line = end + 1;
  }
  return true;
}

// The bytes of a page that are not the runtime's own variables.
void hash_page(StateHash& hash, std::uint64_t page) {
  const Range own[] = {{reinterpret_cast<std::uint64_t>(snag_data_begin),
                        reinterpret_cast<std::uint64_t>(snag_data_end)},
                       {reinterpret_cast<std::uint64_t>(snag_bss_begin),
                        reinterpret_cast<std::uint64_t>(snag_bss_end)}};
  hash.add(page);
  bool mixed = false;
  for (const Range& range : own) {
    if (page >= range.begin && page + kPage <= range.end) return;
    mixed |= page < range.end && page + kPage > range.begin;
  }
  if (!mixed) return hash.add_words(page, page + kPage);
  for (std::uint64_t p = page; p < page + kPage; ++p) {
    const bool is_own = p - own[0].begin < own[0].end - own[0].begin ||
                        p - own[1].begin < own[1].end - own[1].begin;
    if (!is_own) hash.add(*reinterpret_cast<const unsigned char*>(p));
  }
}

}  // namespace

bool open_program_state() {
  if (snag_data_begin == nullptr || snag_bss_begin == nullptr) return false;
  mappings.clear();
  if (!read_mappings()) return false;
  std::uint64_t mapped = 0;
  for (const Range& range : mappings) mapped += range.end - range.begin;
  if (mapped > kMostMapped) return false;
  pagemap = raw_syscall(SYS_openat, AT_FDCWD, as_arg("/proc/self/pagemap"), O_RDONLY);
  return pagemap >= 0;
}

bool hash_program_memory(StateHash& hash) {
  constexpr std::uint64_t kInMemory = 1ull << 63 | 1ull << 62, kOfFile = 1ull << 61;
  constexpr std::uint64_t kPart = 512;
  static std::uint64_t entries[kPart];
  std::uint64_t bytes = 0;
  for (const Range& range : mappings) {
    for (std::uint64_t begin = range.begin; begin < range.end;) {
      if (const Context* context = context_of_stack(begin)) {
        begin = (context->stack_begin + context->stack_size + kPage - 1) & ~(kPage - 1);
        continue;
      }
      std::uint64_t pages = (range.end - begin) / kPage;
      if (pages > kPart) pages = kPart;
      if (raw_syscall(SYS_pread64, pagemap, as_arg(entries), static_cast<long>(pages * 8),
                      static_cast<long>(begin / kPage * 8)) != static_cast<long>(pages * 8))
        return false;
      std::uint64_t page = begin;
      for (std::uint64_t i = 0; i < pages; ++i, page += kPage) {
        if ((entries[i] & kInMemory) == 0 || (entries[i] & kOfFile) != 0) continue;
        // (Stacks of the program's own making may lie in the middle of other memory.)
        if (context_of_stack(page) != nullptr) continue;
        bytes += kPage;
        if (bytes > kMostBytes) return false;
        hash_page(hash, page);
      }
      begin = page;
    }
  }
  return true;
}

void hash_stack(StateHash& hash, std::uint64_t stack_pointer) {
  for (const Range& range : mappings) {
    if (stack_pointer - range.begin >= range.end - range.begin) continue;
    hash.add_words(stack_pointer & ~7ull, range.end);
    return;
  }
  fail_cut_short();  // a stack that nobody knows of
}

bool forbid_outside() {
  const auto begin = runtime_code().begin, end = runtime_code().begin + runtime_code().size;
  const auto high = static_cast<std::uint32_t>(begin >> 32);
  if (begin == 0 || high != static_cast<std::uint32_t>(end >> 32)) return false;
  constexpr auto kNumber = offsetof(seccomp_data, nr);
  constexpr auto kCode = offsetof(seccomp_data, instruction_pointer);
  constexpr auto kArgument = offsetof(seccomp_data, args);
  constexpr int kReads = 14, kMaps = 16, kTrap = 19, kAllow = 20;
  const auto load = [](std::size_t at) {
    return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(at));
  };
  // The instruction at `at` goes on at one of the other two.
  const auto jump = [](int at, int how, std::uint64_t value, int yes, int no) {
    return sock_filter BPF_JUMP(
        static_cast<std::uint16_t>(BPF_JMP | BPF_K | how), static_cast<std::uint32_t>(value),
        static_cast<std::uint8_t>(yes - at - 1), static_cast<std::uint8_t>(no - at - 1));
  };
  const auto result = [](std::uint32_t value) {
    return sock_filter BPF_STMT(BPF_RET | BPF_K, value);
  };
  const long process = raw_syscall(SYS_getpid);
  // Handlers of signals return. The runtime reads memory, makes its tables grow, and ends the
  // process.
  sock_filter code[] = {
      load(kNumber),
      jump(1, BPF_JEQ, SYS_rt_sigreturn, kAllow, 2),
      load(kCode + 4),
      jump(3, BPF_JEQ, high, 4, kTrap),
      load(kCode),
      jump(5, BPF_JGE, begin, 6, kTrap),
      jump(6, BPF_JGT, end, kTrap, 7),
      load(kNumber),
      jump(8, BPF_JEQ, SYS_pread64, kAllow, 9),
      jump(9, BPF_JEQ, SYS_exit_group, kAllow, 10),
      jump(10, BPF_JEQ, SYS_getpid, kAllow, 11),
      jump(11, BPF_JEQ, SYS_process_vm_readv, kReads, 12),
      jump(12, BPF_JEQ, SYS_mmap, kMaps, 13),
      jump(13, BPF_JEQ, SYS_mremap, kMaps, kTrap),
      // kReads
      load(kArgument),
      jump(15, BPF_JEQ, static_cast<std::uint64_t>(process), kAllow, kTrap),
      // kMaps
      load(kArgument + 4),
      jump(17, BPF_JGE, kFirstTablePlace >> 32, 18, kTrap),
      jump(18, BPF_JGE, kFirstStackPlace >> 32, kTrap, kAllow),
      // kTrap, kAllow
      result(SECCOMP_RET_TRAP),
      result(SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{sizeof code / sizeof *code, code};
  if (raw_syscall(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV) != 0) return false;
  return raw_syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1) == 0 &&
         raw_syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, as_arg(&filter)) == 0;
}

}  // namespace snag::rt
