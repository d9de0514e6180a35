// Directed runs: what `snag active` and the cover strategy try to make happen.
#pragma once

#include <atomic>
#include <cstdint>

#include "protocol/directed_kinds.h"
#include "protocol/module_pc.h"
#include "protocol/steps.h"

namespace snag {

// A location pair to cover: the program counters of its two places. A place has several if the
// compiler has made copies of it.
inline constexpr std::uint32_t kMaxWantedPcs = 8;
struct WantedPair {
  std::uint32_t count[2];
  ModulePc pcs[2][kMaxWantedPcs];
};

inline constexpr std::uint32_t kMaxDirectedSides = 8;
inline constexpr std::uint32_t kMaxDirectedPlaces = 16;
struct DirectedPlace {
  std::uint32_t depth;           // number of frames
  ModulePc frames[kStepFrames];  // the operation and its callers, innermost first
};
struct DirectedSide {
  std::uint32_t count;
  DirectedPlace places[kMaxDirectedPlaces];  // any of these
};
// kRace: which side accesses the memory first. Unless the order is random, everything is
// deterministic once both threads are there: runs of one seed differ only in that order.
enum class RaceOrder : std::uint8_t { kByChance, kFirstSide, kSecondSide };
// The interleaving to make happen: threads at certain places, in certain roles (`sides`, see
// protocol/directed_kinds.h).
struct Directed {
  DirectedKind kind;
  RaceOrder order;
  std::uint8_t second_goes_on;  // kRace, after both accesses: the thread of the second side
  std::uint8_t any_memory;      // kAtomicity: of several variables that belong together
  std::uint32_t sides;
  DirectedSide side[kMaxDirectedSides];
};

// How close the runs of a server came to Config::directed.
struct DirectedProgress {
  std::atomic<std::uint32_t> arrived;   // a bit for each side that a thread has reached
  std::atomic<std::uint32_t> together;  // most sides that were taken at the same time
  std::atomic<std::uint32_t> happened;  // runs in which it happened
  // Threads released because no other thread could go on, or because they had waited too long.
  std::atomic<std::uint32_t> given_up;
  // StrategyKind::kBreakpoints: how often the probability of each breakpoint was halved.
  std::uint8_t halved[2][kMaxDirectedPlaces];
};

}  // namespace snag
