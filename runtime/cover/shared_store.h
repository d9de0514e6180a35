// The tables of protocol/coverage.h, from the program's side.
//
// Every thread of every process that shares the store may add at any time, and may be killed while
// it does: a record is written first, and then made known by one store into the index. A process
// that comes second with the same record takes the first one's; its own number is then lost, and
// `ready` stays 0. No locks.
#pragma once

#include <cstdint>

#include "protocol/coverage.h"

namespace snag::rt {

inline std::uint64_t mix_hash(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  return x ^ (x >> 29);
}

class CoverTables {
 public:
  void attach(CoverStore* store) { store_ = store; }
  CoverStore* store() const { return store_; }
  bool measures(Metric metric) const { return (store_->config.metrics & metric_bit(metric)) != 0; }

  // The number of a location; 0 if there is no room for more. `callers` are kMaxCoverContext, with
  // 0 where there are none.
  std::uint32_t location(ModulePc pc, const ModulePc* callers);
  void see(std::uint32_t location, std::uint32_t flags);

  // `flags` of PairFlags. The time that is stored is that of the first time the pair was covered.
  void pair(Metric metric, std::uint32_t first, std::uint32_t second, std::uint32_t flags,
            std::uint64_t address);
  // Counts the pair once more.
  void count(Metric metric, std::uint32_t first, std::uint32_t second);

  void set_run(std::uint64_t run) { run_ = static_cast<std::uint32_t>(run); }

 private:
  // Null if there is no room.
  CoverPair* find_pair(Metric metric, std::uint32_t first, std::uint32_t second,
                       std::uint64_t address);
  void cover(CoverPair* pair, std::uint32_t flags, std::uint64_t address);

  CoverStore* store_ = nullptr;
  std::uint32_t run_ = 0;
};

}  // namespace snag::rt
