#include "runtime/cover/access_states.h"

#include <string.h>

#include "runtime/base/arena.h"

namespace snag::rt {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;

constexpr std::uint32_t place_of(CoverAccess access) { return access & kPlaceMask; }
constexpr std::uint32_t thread_of(CoverAccess access) { return access >> kThreadShift; }
constexpr std::uint32_t location_of(CoverAccess access) { return access & kLocationMask; }
constexpr bool reads(CoverAccess access) { return (access & kReads << kKindShift) != 0; }
constexpr bool writes(CoverAccess access) { return (access & kWrites << kKindShift) != 0; }

constexpr CoverAccess with_thread(CoverAccess access, std::uint32_t thread) {
  return place_of(access) | thread << kThreadShift;
}

template <typename T>
T* map_table(std::size_t count, bool shared) {
  return shared ? map_shared<T>(count) : map_private<T>(count);
}

}  // namespace

// A set under construction.
struct CoverStates::Builder {
  std::uint32_t size = 0;
  CoverAccess elements[kMaxSetSize];

  void load(const CoverAccess* from, std::uint32_t count) {
    size = count;
    memcpy(elements, from, count * sizeof(CoverAccess));
  }
  bool is_private() const { return size != 0 && thread_of(elements[0]) == kWordThread; }
  void name_thread(std::uint32_t thread) {
    for (std::uint32_t i = 0; i < size; ++i) elements[i] = with_thread(elements[i], thread);
  }
  std::uint32_t position(std::uint32_t place) const {
    std::uint32_t low = 0, high = size;
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      if (place_of(elements[middle]) < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
  std::uint64_t hash() const {
    std::uint64_t value = size;
    for (std::uint32_t i = 0; i < size; ++i) value = mix_hash(value + elements[i]);
    return value;
  }
};

bool CoverStates::init(CoverTables* tables, bool shared) {
  tables_ = tables;
  counts_ = map_table<Counts>(1, shared);
  accesses_ = map_table<CoverAccess>(kMaxNumbers, shared);
  access_index_ = map_table<std::atomic<std::uint32_t>>(2 * kMaxNumbers, shared);
  next_numbers_ = map_table<std::atomic<std::uint32_t>>(kMaxCoverThreads, shared);
  shapes_ = map_table<Shape>(kMaxShapes, shared);
  shape_index_ = map_table<std::atomic<std::uint32_t>>(2 * kMaxShapes, shared);
  rows_ = map_table<Row>(kMaxRows, shared);
  row_index_ = map_table<std::atomic<std::uint32_t>>(2 * kMaxRows, shared);
  sets_ = map_table<Set>(kMaxSets, shared);
  set_index_ = map_table<std::atomic<std::uint32_t>>(2 * kMaxSets, shared);
  owner_masks_ = map_table<std::uint16_t>(kMaxPlainSet + 1, shared);
  elements_ = map_table<CoverAccess>(kMaxElements, shared);
  if (!counts_ || !accesses_ || !access_index_ || !next_numbers_ || !shapes_ || !shape_index_ ||
      !rows_ || !row_index_ || !sets_ || !set_index_ || !owner_masks_ || !elements_)
    return false;
  // From 1: 0 is the word of a variable that no thread has accessed, and the empty set.
  counts_->numbers.store(kNumberBlock, kRelaxed);
  counts_->shapes.store(1, kRelaxed);
  counts_->rows.store(1, kRelaxed);
  counts_->sets.store(1, kRelaxed);
  return true;
}

// 0 if there are no more.
std::uint32_t CoverStates::new_number(std::uint32_t thread) {
  std::atomic<std::uint32_t>& next = next_numbers_[thread];
  for (std::uint32_t own = next.load(kRelaxed);;) {
    std::uint32_t number = own;
    if (own % kNumberBlock == 0) {
      if (counts_->numbers.load(kRelaxed) >= kMaxNumbers) return 0;
      number = counts_->numbers.fetch_add(kNumberBlock, kRelaxed);
      if (number >= kMaxNumbers) return 0;
    }
    if (next.compare_exchange_weak(own, number + 1, kRelaxed)) return number;
  }
}

std::uint32_t CoverStates::number(CoverAccess access) {
  std::uint32_t own = 0;
  for (std::uint32_t slot = mix_hash(access) % (2 * kMaxNumbers);;
       slot = (slot + 1) % (2 * kMaxNumbers)) {
    std::uint32_t found = access_index_[slot].load(kAcquire);
    if (found == 0) {
      if (own == 0) {
        own = new_number(thread_of(access));
        if (own == 0) return 0;
        accesses_[own] = access;
      }
      if (access_index_[slot].compare_exchange_strong(found, own, kRelease, kAcquire)) return own;
    }
    if (accesses_[found] == access) return found;
  }
}

std::uint32_t CoverStates::shape_number(const Shape& shape) {
  const std::uint64_t hash =
      mix_hash((std::uint64_t{shape.writer} << 32 | shape.last) + mix_hash(shape.set));
  std::uint32_t own = 0;
  for (std::uint32_t slot = hash % (2 * kMaxShapes);; slot = (slot + 1) % (2 * kMaxShapes)) {
    std::uint32_t found = shape_index_[slot].load(kAcquire);
    if (found == 0) {
      if (own == 0) {
        if (counts_->shapes.load(kRelaxed) >= kMaxShapes) return 0;
        own = counts_->shapes.fetch_add(1, kRelaxed);
        if (own >= kMaxShapes) return 0;
        shapes_[own] = shape;
      }
      if (shape_index_[slot].compare_exchange_strong(found, own, kRelease, kAcquire)) return own;
    }
    const Shape& other = shapes_[found];
    if (other.last == shape.last && other.writer == shape.writer && other.set == shape.set)
      return found;
  }
}

// kSplitWord if there is no room.
CoverWord CoverStates::row_word(const Row& row) {
  const auto half = [&](int i) { return std::uint64_t{row.words[i]} << 32 | row.words[i + 1]; };
  const std::uint64_t hash = mix_hash(half(0) + mix_hash(half(2)));
  std::uint32_t own = 0;
  for (std::uint32_t slot = hash % (2 * kMaxRows);; slot = (slot + 1) % (2 * kMaxRows)) {
    std::uint32_t found = row_index_[slot].load(kAcquire);
    if (found == 0) {
      if (own == 0) {
        if (counts_->rows.load(kRelaxed) >= kMaxRows) return kSplitWord;
        own = counts_->rows.fetch_add(1, kRelaxed);
        if (own >= kMaxRows) return kSplitWord;
        rows_[own] = row;
      }
      if (row_index_[slot].compare_exchange_strong(found, own, kRelease, kAcquire))
        return kRowWord | own;
    }
    if (memcmp(&rows_[found], &row, sizeof row) == 0) return kRowWord | found;
  }
}

// 0 if there is no room.
std::uint32_t CoverStates::set_number(const Builder& builder) {
  const std::uint64_t hash = builder.hash();
  std::uint32_t own = 0;
  for (std::uint32_t slot = hash % (2 * kMaxSets);; slot = (slot + 1) % (2 * kMaxSets)) {
    std::uint32_t found = set_index_[slot].load(kAcquire);
    if (found == 0) {
      if (own == 0) {
        if (counts_->sets.load(kRelaxed) >= kMaxSets ||
            counts_->elements.load(kRelaxed) > kMaxElements - 64 * kMaxSetSize)
          return 0;
        own = counts_->sets.fetch_add(1, kRelaxed);
        if (own >= kMaxSets) return 0;
        sets_[own] = {counts_->elements.fetch_add(builder.size, kRelaxed), builder.size};
        if (own <= kMaxPlainSet) owner_masks_[own] = builder.is_private() ? 0xffff : 0;
        memcpy(elements_ + sets_[own].begin, builder.elements, builder.size * sizeof(CoverAccess));
      }
      if (set_index_[slot].compare_exchange_strong(found, own, kRelease, kAcquire)) return own;
    }
    const Set& other = sets_[found];
    if (other.size == builder.size &&
        memcmp(elements_ + other.begin, builder.elements, builder.size * sizeof(CoverAccess)) == 0)
      return found;
  }
}

void CoverStates::cover(Metric metric, CoverAccess first, CoverAccess second, std::uint32_t flag,
                        std::uint64_t address) {
  tables_->pair(metric, location_of(first), location_of(second),
                flag | (writes(first) ? kFirstWrites : kNoFlags) |
                    (writes(second) ? kSecondWrites : kNoFlags),
                address);
}

// The pairs that the access can form with those that are in the set.
void CoverStates::add_targets(const Builder& builder, CoverAccess access, std::uint64_t address) {
  const bool pairs = tables_->measures(Metric::kLocationPairs);
  const bool uses = tables_->measures(Metric::kDefUse);
  for (std::uint32_t i = 0; i < builder.size; ++i) {
    const CoverAccess other = builder.elements[i];
    if (thread_of(other) == thread_of(access)) continue;
    if (pairs && (writes(other) || writes(access))) {
      cover(Metric::kLocationPairs, other, access, kIsTarget, address);
      cover(Metric::kLocationPairs, access, other, kIsTarget, address);
    }
    if (uses && writes(other) && reads(access))
      cover(Metric::kDefUse, other, access, kIsTarget, address);
    if (uses && writes(access) && reads(other))
      cover(Metric::kDefUse, access, other, kIsTarget, address);
  }
}

// `word_thread`: the owner of the set, if it is of one thread.
std::uint32_t CoverStates::add_to_set(std::uint32_t set, CoverAccess access,
                                      std::uint32_t word_thread, std::uint64_t address) {
  Builder builder;
  if (set != 0) builder.load(elements_ + sets_[set].begin, sets_[set].size);
  const bool was_private = builder.is_private();
  const bool alone = set == 0 || (was_private && word_thread == thread_of(access));
  if (!alone && was_private) builder.name_thread(word_thread);
  // For when there is no room for the new set. (A set of one thread must not stay in the word of
  // another.)
  const std::uint32_t instead = alone || !was_private ? set : 0;
  const CoverAccess entry = alone ? with_thread(access, kWordThread) : access;
  const std::uint32_t at = builder.position(place_of(access));
  const bool known = at < builder.size && place_of(builder.elements[at]) == place_of(access);
  if (known) {
    const CoverAccess before = builder.elements[at];
    if (before == entry || thread_of(before) == kManyThreads) return set;
  }
  if (!alone) add_targets(builder, access, address);
  if (known) {
    builder.elements[at] = with_thread(access, kManyThreads);
  } else {
    if (builder.size == kMaxSetSize) {
      tables_->store()->lost_variables.fetch_add(1, kRelaxed);
      return instead;
    }
    memmove(builder.elements + at + 1, builder.elements + at,
            (builder.size - at) * sizeof(CoverAccess));
    builder.elements[at] = entry;
    ++builder.size;
  }
  const std::uint32_t number = set_number(builder);
  if (number != 0) return number;
  tables_->store()->lost_variables.fetch_add(1, kRelaxed);
  return instead;
}

std::uint32_t CoverStates::last_thread(CoverWord word) const {
  return is_plain(word) ? thread_of(accesses_[number_of(word)])
                        : (word & ~kShapeWord) >> kShapeBits;
}

CoverStates::Shape CoverStates::shape_of(CoverWord word) const {
  if (!is_plain(word)) return shapes_[word & kShapeMask];
  return {place_of(accesses_[number_of(word)]), 0, set_of(word), 0};
}

// 0 if there is no room.
CoverWord CoverStates::word_of(const Shape& shape, CoverAccess access) {
  if (shape.writer == 0 && shape.set <= kMaxPlainSet) {
    if (const std::uint32_t last = number(access)) return shape.set << kNumberBits | last;
  }
  const std::uint32_t found = shape_number(shape);
  if (found != 0) return kShapeWord | thread_of(access) << kShapeBits | found;
  tables_->store()->lost_variables.fetch_add(1, kRelaxed);
  return 0;
}

bool CoverStates::is_shared_read(CoverWord word, CoverAccess access) const {
  return word != 0 && !is_row(word) && !writes(access) && last_thread(word) != thread_of(access) &&
         !writes(shape_of(word).last);
}

CoverWord CoverStates::next(CoverWord word, CoverAccess access, std::uint64_t address,
                            CoverBytes bytes) {
  if (bytes == kWholeWord && !is_row(word)) return next_of_all(word, access, address);
  Row row;
  bool same = true;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const CoverWord own = byte_word(word, i);
    row.words[i] = (bytes >> i & 1) != 0 ? next_of_all(own, access, address + i) : own;
    same = same && row.words[i] == row.words[0];
  }
  return same ? row.words[0] : row_word(row);
}

// Of bytes that have one history.
CoverWord CoverStates::next_of_all(CoverWord word, CoverAccess access, std::uint64_t address) {
  const std::uint32_t thread = thread_of(access);
  Shape shape{};
  std::uint32_t before = 0;
  if (word != 0) {
    shape = shape_of(word);
    before = last_thread(word);
    if (before != thread && (writes(shape.last) || writes(access)) &&
        tables_->measures(Metric::kLocationPairs))
      cover(Metric::kLocationPairs, shape.last, access, kIsCovered, address);
    if (shape.writer != 0) {
      if (thread_of(shape.writer) == kWordThread) shape.writer = with_thread(shape.writer, before);
      if (reads(access) && thread_of(shape.writer) != thread)
        cover(Metric::kDefUse, shape.writer, access, kIsCovered, address);
      if (thread_of(shape.writer) == thread) shape.writer = with_thread(shape.writer, kWordThread);
    }
  }
  if (writes(access) && tables_->measures(Metric::kDefUse))
    shape.writer = with_thread(access, kWordThread);
  shape.last = place_of(access);
  if (tables_->store()->config.target) {
    if (counts_->shapes.load(kRelaxed) < kManyShapes) {
      shape.set = add_to_set(shape.set, access, before, address);
    } else {
      shape.set = 0;
      tables_->store()->lost_variables.fetch_add(1, kRelaxed);
    }
  }
  return word_of(shape, access);
}

}  // namespace snag::rt
