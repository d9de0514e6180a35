// Memory for small blocks: chunks that keep their size, and so the data around the block, from one
// use to the next. Reusing a chunk of the right size avoids libc's allocator, and its header and
// the states of its red zones are already in place.
//
// Chunks are cut from regions of 4 MiB that begin at a multiple of that: tables that have a leaf
// for each 4 MiB have all of a chunk in one.
#pragma once

#include <sys/mman.h>

#include <cstdint>

#include "arch/arch.h"

namespace snag::rt {

class ChunkPool {
 public:
  static constexpr std::uint64_t kRegionBytes = 4 << 20;
  // Bigger ones are rare, and would mostly lie unused.
  static constexpr std::uint64_t kMostBytes = 4608;

  // The size of the chunk that holds `bytes` (at most kMostBytes): in steps of 16, and of 128 for
  // bigger ones, where that wastes little.
  static constexpr std::uint64_t chunk_bytes(std::uint64_t bytes) {
    const std::uint64_t step = bytes <= kFineBytes ? 16 : 128;
    return (bytes + step - 1) & ~(step - 1);
  }

  // One that was given back; 0: none.
  std::uint64_t take_used(std::uint64_t chunk_bytes) {
    std::uint64_t& first = free_[chunk_bytes / 16];
    const std::uint64_t chunk = first;
    if (chunk != 0) first = link_of(chunk, chunk_bytes);
    return chunk;
  }
  // How much of the region has been cut, and how much there is.
  std::uint64_t next() const { return next_; }
  std::uint64_t region_end() const { return region_end_; }

  // A chunk that was never used before; 0: the current region has no room, or there is no region.
  std::uint64_t take_new(std::uint64_t chunk_bytes) {
    if (region_end_ - next_ < chunk_bytes) return 0;
    const std::uint64_t chunk = next_;
    next_ += chunk_bytes;
    return chunk;
  }
  // The next new chunks are cut from another region. Its begin; 0 if the system has no memory.
  std::uint64_t add_region() {
    const long found = raw_syscall(SYS_mmap, 0, 2 * kRegionBytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found < 0 && found > -4096) return 0;
    const auto memory = static_cast<std::uint64_t>(found);
    const std::uint64_t begin = (memory + kRegionBytes - 1) & ~(kRegionBytes - 1);
    const std::uint64_t end = begin + kRegionBytes, memory_end = memory + 2 * kRegionBytes;
    if (begin > memory) unmap(memory, begin - memory);
    if (memory_end > end) unmap(end, memory_end - end);
    next_ = begin;
    region_end_ = end;
    return begin;
  }

  // Nothing more is cut from it.
  void leave_region() { next_ = region_end_; }

  void give(std::uint64_t chunk, std::uint64_t chunk_bytes) {
    std::uint64_t& first = free_[chunk_bytes / 16];
    link_of(chunk, chunk_bytes) = first;
    first = chunk;
  }

 private:
  static constexpr std::uint64_t kFineBytes = 640;

  // In the last bytes, which are red zone: even a program that writes to freed memory does not
  // reach that far.
  static std::uint64_t& link_of(std::uint64_t chunk, std::uint64_t chunk_bytes) {
    return *reinterpret_cast<std::uint64_t*>(chunk + chunk_bytes - 8);
  }
  static void unmap(std::uint64_t begin, std::uint64_t bytes) {
    raw_syscall(SYS_munmap, static_cast<long>(begin), static_cast<long>(bytes));
  }

  std::uint64_t next_ = 0, region_end_ = 0;
  std::uint64_t free_[kMostBytes / 16 + 1]{};
};

}  // namespace snag::rt
