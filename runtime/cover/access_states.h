// What has happened to a variable so far, as a number: variables that were accessed in the same way
// share one history.
//
// A history is the last access, with Metric::kDefUse the last write, and with CoverConfig::target
// the set of all accesses. The new history is a function of the old one and the access, so it is
// computed once, and its pairs are then added to the store; after that, the thread caches the
// answer (see runtime/cover/shadow_cells.h). So the hot path is the same whatever is measured.
//
// A shadow word usually holds two numbers: that of the last access and that of the set. An access
// then only needs to know whether its pair is already in the store, and whether the set already
// contains it: a bit each, however many histories there are. Where the numbers do not fit, or the
// last write counts, the word holds the thread of the last access and a shape: the rest of the
// history. As long as no other thread has accessed the variable, neither sets nor shapes name the
// thread, so all threads share them for their private variables.
//
// The four bytes of a word usually have one history. Otherwise the word is the number of a row of
// four words, one for each byte. Rows are shared as well, since the bytes of structures and texts
// follow few patterns. Only where there are too many rows do bytes get words of their own (see
// kSplitWord in runtime/cover/shadow_cells.h).
//
// As in runtime/cover/shared_store.h: nothing changes once it is published, there are no locks, and
// a process that is killed in the middle leaves nothing half done.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/cover/shared_store.h"

namespace snag::rt {

inline constexpr std::uint32_t kReads = 1;
inline constexpr std::uint32_t kWrites = 2;

// location | kReads and kWrites << 19 | thread << 21
using CoverAccess = std::uint32_t;
inline constexpr int kKindShift = 19;
inline constexpr int kThreadShift = 21;
inline constexpr std::uint32_t kPlaceMask = (1u << kThreadShift) - 1;  // location and kind
inline constexpr std::uint32_t kLocationMask = (1u << kKindShift) - 1;
static_assert(kMaxCoverLocations == kLocationMask + 1);

// Instead of the number of a thread.
inline constexpr std::uint32_t kManyThreads = 2047;
inline constexpr std::uint32_t kWordThread = 2046;  // the one of the word
static_assert(kMaxCoverThreads <= kWordThread);

constexpr CoverAccess make_access(std::uint32_t thread, std::uint32_t kind,
                                  std::uint32_t location) {
  return thread << kThreadShift | kind << kKindShift | location;
}

// number of the last access | set << 15, or shape | thread << 20 | kShapeWord; 0: no thread has
// been there.
using CoverWord = std::uint32_t;
inline constexpr int kNumberBits = 15, kSetBits = 16;
inline constexpr std::uint32_t kNumberMask = (1u << kNumberBits) - 1;
// A thread has blocks of numbers, so that one word of bits describes a whole block.
inline constexpr int kNumberBlockShift = 5;
inline constexpr std::uint32_t kNumberBlock = 1 << kNumberBlockShift;
inline constexpr int kShapeBits = 20;
inline constexpr std::uint32_t kShapeMask = (1u << kShapeBits) - 1;
inline constexpr std::uint32_t kShapeWord = 1u << 31;

// Four bytes with histories that differ: the number of a row, instead of a shape, and kWordThread
// as the thread, which no shape has.
inline constexpr CoverWord kRowWord = kShapeWord | kWordThread << kShapeBits;
constexpr bool is_row(CoverWord word) { return (word & ~kShapeMask) == kRowWord; }
// In place of a word whose bytes have words of their own.
inline constexpr CoverWord kSplitWord = 0xffffffff;
// Which of the bytes of a word are accessed, a bit each.
using CoverBytes = std::uint32_t;
inline constexpr CoverBytes kWholeWord = 15;
constexpr CoverBytes bytes_at(std::uint64_t address, std::uint64_t size) {
  return ((1u << size) - 1) << (address & 3);
}

constexpr bool is_plain(CoverWord word) { return (word & kShapeWord) == 0; }
constexpr std::uint32_t number_of(CoverWord plain) { return plain & kNumberMask; }
constexpr std::uint32_t set_of(CoverWord plain) { return plain >> kNumberBits; }

// What an access of this kind proves about its location.
constexpr std::uint32_t seen_of(std::uint32_t kind) {
  return ((kind & kReads) ? kSeenRead : kSeenNothing) |
         ((kind & kWrites) ? kSeenWrite : kSeenNothing);
}

class CoverStates {
 public:
  // Memory is reserved, not used. `shared`: with the processes that are forked later.
  bool init(CoverTables* tables, bool shared);

  // The word at `address` after an access to these bytes of it. kSplitWord: they need words of
  // their own.
  CoverWord next(CoverWord word, CoverAccess access, std::uint64_t address,
                 CoverBytes bytes = kWholeWord);
  // The word of one of the four bytes.
  CoverWord byte_word(CoverWord word, std::uint32_t byte) const {
    return is_row(word) ? rows_[word & kShapeMask].words[byte] : word;
  }
  // The number of an access in a word; 0: it has none.
  std::uint32_t number(CoverAccess access);
  CoverAccess access(std::uint32_t number) const { return accesses_[number]; }
  // Whether the access only reads, and the last one before it did so in another thread. (Not of
  // rows.)
  bool is_shared_read(CoverWord word, CoverAccess access) const;
  // Whether only the thread of the word has been there; of sets in plain words.
  bool is_private_set(std::uint32_t set) const { return owner_masks_[set] != 0; }
  // The thread of the last access, if it is such a set; else 0.
  std::uint32_t owner(std::uint32_t set, std::uint32_t last) const {
    return accesses_[last] >> kThreadShift & owner_masks_[set];
  }
  bool is_of_other(std::uint32_t set, std::uint32_t last, CoverAccess access) const {
    return ((accesses_[last] ^ access) >> kThreadShift & owner_masks_[set]) != 0;
  }

 private:
  static constexpr std::uint32_t kMaxNumbers = 1 << kNumberBits;
  static constexpr std::uint32_t kMaxPlainSet = (1u << kSetBits) - 1;
  static constexpr std::uint32_t kMaxShapes = 1 << kShapeBits;
  // From this many on, histories have no sets. Sets are what makes histories numerous (tables that
  // a program fills from hundreds of places). The rest always has room, so consecutive accesses are
  // still recorded.
  static constexpr std::uint32_t kManyShapes = kMaxShapes / 4 * 3;
  static constexpr std::uint32_t kMaxRows = 1 << 16;
  static constexpr std::uint32_t kMaxSets = 1 << 18;
  static constexpr std::uint32_t kMaxElements = 1 << 26;
  static constexpr std::uint32_t kMaxSetSize = 1024;

  struct Shape {
    std::uint32_t last;    // its place
    std::uint32_t writer;  // a CoverAccess, 0: none; kWordThread where it is that
    std::uint32_t set;
    std::uint32_t reserved;
  };
  // Accesses, ordered by place, each place once; in a set of one thread that is kWordThread.
  struct Set {
    std::uint32_t begin, size;
  };
  struct Row {
    CoverWord words[4];
  };
  struct Counts {
    std::atomic<std::uint32_t> numbers, shapes, rows, sets, elements;
  };
  struct Builder;

  CoverWord next_of_all(CoverWord word, CoverAccess access, std::uint64_t address);
  CoverWord row_word(const Row& row);
  std::uint32_t new_number(std::uint32_t thread);
  std::uint32_t last_thread(CoverWord word) const;
  Shape shape_of(CoverWord word) const;
  CoverWord word_of(const Shape& shape, CoverAccess access);
  std::uint32_t shape_number(const Shape& shape);
  std::uint32_t set_number(const Builder& builder);
  std::uint32_t add_to_set(std::uint32_t set, CoverAccess access, std::uint32_t word_thread,
                           std::uint64_t address);
  void add_targets(const Builder& builder, CoverAccess access, std::uint64_t address);
  void cover(Metric metric, CoverAccess first, CoverAccess second, std::uint32_t flag,
             std::uint64_t address);

  CoverTables* tables_ = nullptr;
  Counts* counts_ = nullptr;
  CoverAccess* accesses_ = nullptr;  // by their numbers
  std::atomic<std::uint32_t>* access_index_ = nullptr;
  std::atomic<std::uint32_t>* next_numbers_ = nullptr;  // by threads
  Shape* shapes_ = nullptr;
  std::atomic<std::uint32_t>* shape_index_ = nullptr;
  Row* rows_ = nullptr;
  std::atomic<std::uint32_t>* row_index_ = nullptr;
  Set* sets_ = nullptr;
  std::atomic<std::uint32_t>* set_index_ = nullptr;
  std::uint16_t* owner_masks_ = nullptr;  // by sets in plain words; all bits if it is private
  CoverAccess* elements_ = nullptr;
};

}  // namespace snag::rt
