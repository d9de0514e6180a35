#include "runtime/sched/thread_locals.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "runtime/base/arena.h"
#include "runtime/base/path.h"

namespace snag::rt {
namespace {

struct TlsImage {
  std::size_t module;
  const void* image;
  std::size_t image_size;
  std::size_t size;
};
constinit MmapVector<TlsImage> images{};

// How often libraries were loaded and unloaded before `images` was made.
constinit unsigned long long loaded = 0, unloaded = 0;

bool is_libc(const char* path) {
  const char* name = base_name(path);
  return strncmp(name, "libc.so", 7) == 0 || strncmp(name, "ld-linux", 8) == 0;
}

int add_image(dl_phdr_info* info, std::size_t, void*) {
  if (info->dlpi_tls_modid == 0 || (info->dlpi_name && is_libc(info->dlpi_name))) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_TLS || header.p_memsz == 0) continue;
    images.push_back({info->dlpi_tls_modid,
                      reinterpret_cast<const void*>(info->dlpi_addr + header.p_vaddr),
                      header.p_filesz, header.p_memsz});
  }
  return 0;
}

// Looks at the first module alone: each of them has the counts.
int have_modules_changed(dl_phdr_info* info, std::size_t, void*) {
  const bool changed = info->dlpi_adds != loaded || info->dlpi_subs != unloaded;
  loaded = info->dlpi_adds;
  unloaded = info->dlpi_subs;
  return changed ? 1 : -1;
}

// Zeroes memory of a stack's mapping. Whole pages go back to the system, which is cheaper for
// large variables that the thread hardly used.
void clear(char* begin, std::size_t size) {
  constexpr std::size_t kPage = 4096, kMuch = 16 * kPage;
  if (size >= kMuch) {
    const auto first = (reinterpret_cast<std::uint64_t>(begin) + kPage - 1) & ~(kPage - 1);
    const auto end = (reinterpret_cast<std::uint64_t>(begin) + size) & ~(kPage - 1);
    // Fails if the pages are locked in memory.
    if (raw_syscall(SYS_madvise, static_cast<long>(first), static_cast<long>(end - first),
                    MADV_DONTNEED) == 0) {
      const std::size_t head = first - reinterpret_cast<std::uint64_t>(begin);
      memset(begin, 0, head);
      memset(reinterpret_cast<char*>(end), 0, size - head - (end - first));
      return;
    }
  }
  memset(begin, 0, size);
}

}  // namespace

void reset_thread_locals(unsigned long thread_pointer) {
  if (dl_iterate_phdr(have_modules_changed, nullptr) > 0) {
    images.clear();
    dl_iterate_phdr(add_image, nullptr);
  }
  for (const TlsImage& tls : images) {
    const ThreadLocalBlock block = thread_local_block(thread_pointer, tls.module);
    if (!block.begin) continue;
    auto* begin = static_cast<char*>(block.begin);
    if (block.on_demand && unloaded != 0) {
      // It may be the block of a library that is gone and had the same number. (Not freed: to the
      // heap checks it belongs to the program.)
      forget_thread_local_block(thread_pointer, tls.module);
      continue;
    }
    memcpy(begin, tls.image, tls.image_size);
    if (block.on_demand) {
      memset(begin + tls.image_size, 0, tls.size - tls.image_size);
    } else {
      clear(begin + tls.image_size, tls.size - tls.image_size);
    }
  }
}

}  // namespace snag::rt
