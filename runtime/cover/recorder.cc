#include "runtime/cover/recorder.h"

#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "runtime/base/arena.h"

namespace snag::rt {

constinit CoverStates cover_states;
constinit CoverWord** cover_leaves = nullptr;

namespace {

constexpr std::uint64_t kPage = 4096;
// From this size on, shadow memory is unmapped instead of cleared. Clearing a page takes a tenth of
// the time of getting a new one, but much of a large block may never be used.
constexpr std::uint64_t kLarge = 256 << 10;

__attribute__((noinline)) CoverWord* make_leaf(CoverWord** leaf) {
  auto* made = map_private<CoverWord>(1ull << kCoverLeafShift);
  CoverWord* before = nullptr;
  if (__atomic_compare_exchange_n(leaf, &before, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return made;
  munmap(made, sizeof(CoverWord) << kCoverLeafShift);
  return before;
}

CoverWord* byte_words(std::uint64_t address) {
  CoverWord** leaf = cover_leaf(address);
  CoverWord* words = __atomic_load_n(leaf, __ATOMIC_ACQUIRE);
  if (__builtin_expect(!words, 0)) words = make_leaf(leaf);
  return cover_byte_words(words, address);
}

CoverWord load(const CoverWord* word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
void store(CoverWord* word, CoverWord value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }

}  // namespace

const char* map_cover_planes() {
  for (const AddressRange& plane : kShadowPlanes) {
    const auto begin = static_cast<long>(plane.begin), size = static_cast<long>(plane.end) - begin;
    const long got =
        raw_syscall(SYS_mmap, begin, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != begin) {
      return "there is no room for the shadow memory: raise the limit on address space (ulimit "
             "-v), and allow overcommitment (sysctl vm.overcommit_memory=0)";
    }
    raw_syscall(SYS_madvise, begin, size, MADV_DONTDUMP);
  }
  cover_leaves = map_leaf_table<CoverWord>(kCoverLeaves, CacheColour::kCoverage);
  return nullptr;
}

void cover_forget(const void* address, std::uint64_t size) {
  if (size == 0) return;
  const auto from = reinterpret_cast<std::uint64_t>(address);
  const auto begin = reinterpret_cast<std::uint64_t>(cover_word(from));
  const auto end = reinterpret_cast<std::uint64_t>(cover_word(from + size + 3));
  const auto clear = [](std::uint64_t first, std::uint64_t last) {
    memset(reinterpret_cast<void*>(first), 0, last - first);
  };
  if (size < kLarge) return clear(begin, end);
  const std::uint64_t first_page = (begin + kPage - 1) & ~(kPage - 1);
  const std::uint64_t last_page = end & ~(kPage - 1);
  clear(begin, first_page);
  raw_syscall(SYS_madvise, static_cast<long>(first_page), static_cast<long>(last_page - first_page),
              MADV_DONTNEED);
  clear(last_page, end);
}

CoverWord CoverRecorder::next(CoverWord word, std::uint64_t address, CoverBytes bytes) {
  if (word == from_ && bytes == bytes_) return to_;
  const std::uint64_t key = std::uint64_t{word} << 32 | access_;
  CoverTransition& known = *cover_transition(transitions_, key, bytes);
  if (known.key != key || known.bytes != bytes) {
    const CoverWord to = cover_states.next(word, access_, address, bytes);
    // In this order: a process may be killed in the middle while others share the memory.
    __atomic_store_n(&known.key, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&known.to, to, __ATOMIC_RELEASE);
    __atomic_store_n(&known.bytes, static_cast<std::uint16_t>(bytes), __ATOMIC_RELEASE);
    __atomic_store_n(&known.is_shared_read, cover_states.is_shared_read(word, access_),
                     __ATOMIC_RELEASE);
    __atomic_store_n(&known.key, key, __ATOMIC_RELEASE);
  }
  from_ = word;
  bytes_ = bytes;
  to_ = known.to;
  return to_;
}

// Of one word.
void CoverRecorder::record_bytes(std::uint64_t address, std::uint64_t count) {
  CoverWord* cell = cover_word(address);
  const CoverWord word = load(cell);
  if (__builtin_expect(word != kSplitWord, 1)) {
    const CoverWord to = next(word, address, bytes_at(address, count));
    if (__builtin_expect(to != kSplitWord, 1)) {
      if (to != word) store(cell, to);
      return;
    }
    CoverWord* words = byte_words(address & ~std::uint64_t{3});
    for (std::uint32_t i = 0; i < 4; ++i) store(&words[i], cover_states.byte_word(word, i));
  }
  CoverWord* words = byte_words(address);
  bool same = count == 4;
  for (std::uint64_t i = 0; i < count; ++i) {
    const CoverWord to = next(load(&words[i]), address + i);
    store(&words[i], to);
    same = same && to == load(&words[0]);
  }
  if (same) {
    store(cell, load(&words[0]));
  } else if (word != kSplitWord) {
    store(cell, kSplitWord);
  }
}

void CoverRecorder::record(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  while (address < end) {
    const std::uint64_t left = end - address;
    std::uint64_t count = 4 - (address & 3);
    if (count > left) count = left;
    record_bytes(address, count);
    address += count;
  }
}

}  // namespace snag::rt
