// Memory for the runtime's own tables: straight from mmap, never from the program's malloc.
//
// Nothing here is ever destroyed: tables live in static storage (so everything is constexpr
// constructible: no static constructors) and their memory is returned when the process ends. After
// a fork each process has its own copy, except for map_shared, which stays one memory for the
// server and all its runs.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arch/arch.h"

namespace snag::rt {

inline constexpr const char* kNoMemory =
    "not enough memory for Snag's own tables: raise the limit on address space (ulimit -v)";

// Tells the tool that memory is short, and ends the process; null if there is no tool. It must not
// need memory itself.
using OutOfMemoryHandler = void (*)();
[[gnu::visibility("hidden")]] inline constinit OutOfMemoryHandler tell_out_of_memory = nullptr;

// All that remains is to report it.
[[noreturn]] inline void out_of_memory() {
  if (tell_out_of_memory != nullptr) tell_out_of_memory();
  const char* const texts[] = {"snag: ", kNoMemory, "\n"};
  for (const char* text : texts)
    raw_syscall(SYS_write, 2, as_arg(text), static_cast<long>(__builtin_strlen(text)));
  raw_exit_process(70);
}

// Where the runtime's memory lies: far from the addresses that the kernel chooses by itself.
// Otherwise the addresses that the program gets would depend on how much the runtime has mapped
// before, which differs between the first run of a server and a later one, and so between a run and
// its replay. (This is only a hint: if the address is in use, the kernel chooses another one.)
struct RuntimePlaces {
  std::uint64_t next;

  // An address for this many bytes, with a gap behind them.
  void* take(std::size_t bytes) {
    constexpr std::uint64_t kPageMask = 4095;
    const std::uint64_t place = next;
    next += (bytes + 2 * kPageMask + 1) & ~kPageMask;
    return reinterpret_cast<void*>(place);
  }
};
[[gnu::visibility("hidden")]] inline constinit RuntimePlaces table_places{kFirstTablePlace};

inline bool is_mapped(long result) { return result >= 0 || result <= -4096; }

// Memory straight from the system; null if the system refuses. (mmap itself notes what the program
// maps: see runtime/interpose/map.cc. And errno is the program's.)
inline void* map_memory(std::size_t bytes,
                        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE) {
  const long result = raw_syscall(SYS_mmap, as_arg(table_places.take(bytes)),
                                  static_cast<long>(bytes), PROT_READ | PROT_WRITE, flags, -1, 0);
  return is_mapped(result) ? reinterpret_cast<void*>(result) : nullptr;
}

// A growable array of plain values. Capacity only grows; growth moves pages, not bytes (mremap).
// New pages are zero, and so is what `resize` adds for the first time; elements behind a `clear`
// keep their old bytes.
template <typename T>
class MmapVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  constexpr MmapVector() = default;
  MmapVector(const MmapVector&) = delete;
  MmapVector& operator=(const MmapVector&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }

  void clear() { size_ = 0; }
  // Gives the memory back; for the few vectors that are not in static storage.
  void release() {
    if (data_ != nullptr) munmap(data_, mapped_);
    data_ = nullptr;
    size_ = capacity_ = mapped_ = 0;
  }
  void pop_back() { --size_; }
  void push_back(const T& value) {
    const T copy = value;  // it may live in this very array, which grow() may move
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = copy;
  }
  void resize(std::size_t n) {
    if (n > capacity_) grow(n);
    size_ = n;
  }

 private:
  static constexpr std::size_t kPage = 4096;

  __attribute__((noinline)) void grow(std::size_t n) {
    std::size_t bytes = capacity_ * sizeof(T) * 2;
    if (bytes < n * sizeof(T)) bytes = n * sizeof(T);
    bytes = (bytes + kPage - 1) / kPage * kPage;
    void* p = data_ == nullptr ? map_memory(bytes) : grown(bytes);
    if (p == nullptr) out_of_memory();
    data_ = static_cast<T*>(p);
    mapped_ = bytes;
    capacity_ = bytes / sizeof(T);
  }

  void* grown(std::size_t bytes) {
    void* const place = map_memory(bytes);
    if (place == nullptr) return nullptr;
    const long result =
        raw_syscall(SYS_mremap, as_arg(data_), static_cast<long>(mapped_), static_cast<long>(bytes),
                    MREMAP_MAYMOVE | MREMAP_FIXED, as_arg(place));
    return is_mapped(result) ? reinterpret_cast<void*>(result) : nullptr;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t mapped_ = 0;
};

// A private block of zeroed memory; pages cost nothing until they are touched.
template <typename T>
T* map_private(std::size_t count) {
  void* p = map_memory(count * sizeof(T));
  if (p == nullptr) out_of_memory();
  return static_cast<T*>(p);
}

// The same for a table of pointers that is indexed by addresses. There are several such tables, and
// an access reads all of them at the same index. Their sizes are powers of two, so these entries
// would have the same offset in their pages, and compete for one set of the processor's first-level
// cache. So each table begins at another offset.
enum class CacheColour : std::size_t { kHeap = 1, kRaces, kLearning, kWatching, kCoverage };
template <typename T>
T** map_leaf_table(std::size_t count, CacheColour colour) {
  constexpr std::size_t kShift = (4096 + 5 * 64) / sizeof(T*);  // another page and another set
  const std::size_t begin = static_cast<std::size_t>(colour) * kShift;
  return map_private<T*>(count + begin) + begin;
}

// Makes the pages of this memory, which is about to be written to: all at once is cheaper than by a
// page fault each, or two if they are read first. Does nothing if the system cannot.
inline void prepare_pages(const void* begin, std::size_t bytes) {
  constexpr std::uint64_t kPageMask = 4095;
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE, Linux 5.14
  const auto first = reinterpret_cast<std::uint64_t>(begin) & ~kPageMask;
  const auto end = (reinterpret_cast<std::uint64_t>(begin) + bytes + kPageMask) & ~kPageMask;
  raw_syscall(SYS_madvise, static_cast<long>(first), static_cast<long>(end - first),
              kPopulateWrite);
}

// A block of memory that a process shares with the children it forks from now on. Pages cost
// nothing until they are touched.
template <typename T>
T* map_shared(std::size_t count) {
  void* p = map_memory(count * sizeof(T), MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE);
  if (p == nullptr) out_of_memory();
  return static_cast<T*>(p);
}

}  // namespace snag::rt
