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

// Whether libraries had been unloaded when `images` was made.
constinit bool any_unloaded = false;
// `images` holds the modules of all threads up to this generation. Asking the loader for changes
// takes its lock twice, which is as much as half of a thread's creation.
constinit unsigned long known_generation = 0;
constinit bool is_stale = true;

bool is_libc(const char* path) {
  const char* name = base_name(path);
  return strncmp(name, "libc.so", 7) == 0 || strncmp(name, "ld-linux", 8) == 0;
}

int add_image(dl_phdr_info* info, std::size_t, void*) {
  any_unloaded = info->dlpi_subs != 0;
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

void find_images() {
  is_stale = false;
  images.clear();
  dl_iterate_phdr(add_image, nullptr);
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

void init_thread_locals() {
  known_generation = thread_local_generation(thread_pointer());
  find_images();
}

void thread_local_modules_change() { is_stale = true; }

void reset_thread_locals(unsigned long thread_pointer) {
  const unsigned long generation = thread_local_generation(thread_pointer);
  if (is_stale || generation > known_generation) {
    if (generation > known_generation) known_generation = generation;
    find_images();
  }
  for (const TlsImage& tls : images) {
    const ThreadLocalBlock block = thread_local_block(thread_pointer, tls.module);
    if (!block.begin) continue;
    auto* begin = static_cast<char*>(block.begin);
    if (block.on_demand && any_unloaded) {
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
