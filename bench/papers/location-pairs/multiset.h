// The multiset of the location-pairs paper (figures 6 to 8): an array of slots with an element, a
// valid flag and a lock each. An element is in the set when its slot is valid; a slot is free when
// it has no element, and reserved in between.
//
// Compiled with -DVARIANT=<one of Variant> it has that variant's error, and with -DCORRECT besides
// it has none. The mutants split a critical region (operator SPCR), so that all accesses stay
// protected: there is no data race, only the atomicity is lost. The seeded errors move reads out of
// a critical region and do not repeat them inside; the fields are relaxed atomics there, so that
// these are no races either. README.md says why just these.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <type_traits>

#include "../../programs/check.h"

enum class Variant {
  kMutant6,    // SPCR in FindSlot: looked at, then taken
  kMutant9,    // SPCR in Delete: looked at, then removed
  kMutant14,   // SPCR in Delete: element removed, then made invalid
  kMutant15,   // SPCR in LookUp: element looked at, then the flag
  kSplitPair,  // SPCR in InsertPair: one element made valid, then the other; not in the paper
  kSeeded1,    // FindSlot reads the element outside
  kSeeded2,    // Delete reads the flag outside
  kSeeded3,    // Delete reads the element outside
  kSeeded4,    // LookUp reads the element outside
};

inline constexpr Variant kVariant = Variant::VARIANT;
inline constexpr bool kSeeded = kVariant >= Variant::kSeeded1;
inline constexpr bool HasError(Variant variant) { return !kCorrect && kVariant == variant; }

// A field of a slot: plain in the mutants, atomic in the seeded errors. Always inlined, so that an
// access counts where the program makes it; the functions of std::atomic<bool> are not.
template <typename T>
class Field {
 public:
  constexpr Field(T value) : value_(value) {}

  [[gnu::always_inline]] operator T() const {
    if constexpr (kSeeded)
      return value_.load(std::memory_order_relaxed);
    else
      return value_;
  }
  [[gnu::always_inline]] void operator=(T value) {
    if constexpr (kSeeded)
      value_.store(value, std::memory_order_relaxed);
    else
      value_ = value;
  }

 private:
  using Atomic = std::atomic<std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>>;
  std::conditional_t<kSeeded, Atomic, T> value_;
};

class Multiset {
 public:
  static constexpr int kNothing = -1;

  struct Slot {
    std::mutex lock;
    Field<int> element = kNothing;
    Field<bool> valid = false;
  };
  using Guard = std::lock_guard<std::mutex>;

  explicit Multiset(int capacity) : capacity_(capacity) {}

  bool Insert(int x) {
    const int i = FindSlot(x);
    if (i == kNothing) return false;
    Guard guard(slots_[i].lock);
    slots_[i].valid = true;
    return true;
  }

  // Both or none.
  bool InsertPair(int x, int y) {
    const int i = FindSlot(x);
    if (i == kNothing) return false;
    const int j = FindSlot(y);
    if (j == kNothing) {
      Guard guard(slots_[i].lock);
      slots_[i].element = kNothing;
      return false;
    }
    if constexpr (HasError(Variant::kSplitPair)) {
      {
        Guard guard(slots_[i].lock);
        slots_[i].valid = true;
      }
      Guard guard(slots_[j].lock);
      slots_[j].valid = true;
      return true;
    }
    Guard guard_i(slots_[i].lock);
    Guard guard_j(slots_[j].lock);
    slots_[i].valid = true;
    slots_[j].valid = true;
    return true;
  }

  bool Delete(int e) {
    for (int i = 0; i < capacity_; ++i)
      if (DeleteAt(slots_[i], e)) return true;
    return false;
  }

  bool LookUp(int e) {
    for (int i = 0; i < capacity_; ++i)
      if (LookUpAt(slots_[i], e)) return true;
    return false;
  }

  // For tests, when nothing else runs.
  void Put(int i, int x) {
    slots_[i].element = x;
    slots_[i].valid = true;
  }
  Slot& slot(int i) { return slots_[i]; }
  int capacity() const { return capacity_; }

 private:
  // Reserves a slot for x; kNothing if all are taken.
  int FindSlot(int x) {
    for (int i = 0; i < capacity_; ++i)
      if (Reserve(slots_[i], x)) return i;
    return kNothing;
  }

  // The critical regions, one function each. Inlined, as in the paper's figures.
  [[gnu::always_inline]] bool Reserve(Slot& slot, int x) {
    if constexpr (HasError(Variant::kMutant6)) {
      {
        Guard guard(slot.lock);
        if (slot.element != kNothing) return false;
      }
      Guard guard(slot.lock);
      slot.element = x;
      return true;
    }
    if constexpr (HasError(Variant::kSeeded1)) {
      if (slot.element != kNothing) return false;
      Guard guard(slot.lock);
      slot.element = x;
      return true;
    }
    Guard guard(slot.lock);
    if (slot.element != kNothing) return false;
    slot.element = x;
    return true;
  }

  [[gnu::always_inline]] bool DeleteAt(Slot& slot, int e) {
    if constexpr (HasError(Variant::kMutant9)) {
      {
        Guard guard(slot.lock);
        if (slot.element != e || !slot.valid) return false;
      }
      Guard guard(slot.lock);
      slot.element = kNothing;
      slot.valid = false;
      return true;
    }
    if constexpr (HasError(Variant::kMutant14)) {
      {
        Guard guard(slot.lock);
        if (slot.element != e || !slot.valid) return false;
        slot.element = kNothing;
      }
      Guard guard(slot.lock);
      slot.valid = false;
      return true;
    }
    if constexpr (HasError(Variant::kSeeded2)) {
      if (!slot.valid) return false;
      Guard guard(slot.lock);
      if (slot.element != e) return false;
      slot.element = kNothing;
      slot.valid = false;
      return true;
    }
    if constexpr (HasError(Variant::kSeeded3)) {
      if (slot.element != e) return false;
      Guard guard(slot.lock);
      if (!slot.valid) return false;
      slot.element = kNothing;
      slot.valid = false;
      return true;
    }
    Guard guard(slot.lock);
    if (slot.element != e || !slot.valid) return false;
    slot.element = kNothing;
    slot.valid = false;
    return true;
  }

  [[gnu::always_inline]] bool LookUpAt(Slot& slot, int e) {
    if constexpr (HasError(Variant::kMutant15)) {
      {
        Guard guard(slot.lock);
        if (slot.element != e) return false;
      }
      Guard guard(slot.lock);
      return slot.valid;
    }
    if constexpr (HasError(Variant::kSeeded4)) {
      if (slot.element != e) return false;
      Guard guard(slot.lock);
      return slot.valid;
    }
    Guard guard(slot.lock);
    return slot.element == e && slot.valid;
  }

  const int capacity_;
  std::array<Slot, 2> slots_;
};
