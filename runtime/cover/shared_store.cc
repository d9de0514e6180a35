#include "runtime/cover/shared_store.h"

#include <string.h>
#include <time.h>

#include "arch/arch.h"

namespace snag::rt {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;

constexpr std::uint32_t kLocationSlots = 2 * kMaxCoverLocations;
// No search takes that long in a table that is at most half full, unless the program has written
// over it: then nothing more is recorded.
constexpr std::uint32_t kMostProbes = 4'096;
constexpr std::uint32_t kPairSlots = 2 * kMaxCoverPairs;

std::uint64_t now_ns() {
  timespec time;
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, as_arg(&time));
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

// A number for a new record, or 0 if all are taken.
std::uint32_t take_number(std::atomic<std::uint32_t>& count, std::uint32_t limit) {
  std::uint32_t number = count.load(kRelaxed);
  while (number < limit && !count.compare_exchange_weak(number, number + 1, kRelaxed)) {
  }
  return number < limit ? number : UINT32_MAX;
}

}  // namespace

std::uint32_t CoverTables::location(ModulePc pc, const ModulePc* callers) {
  std::uint64_t hash = mix_hash(pc);
  for (std::uint32_t i = 0; i < kMaxCoverContext; ++i) hash = mix_hash(hash + callers[i]);
  std::uint32_t own = 0;
  std::uint32_t slot = hash % kLocationSlots;
  for (std::uint32_t i = 0; i < kMostProbes; ++i, slot = (slot + 1) % kLocationSlots) {
    auto& index = store_->location_index[slot];
    std::uint32_t found = index.load(kAcquire);
    if (found == 0) {
      if (own == 0) {
        if (store_->location_count.load(kRelaxed) == 0) {
          std::uint32_t none = 0;
          store_->location_count.compare_exchange_strong(none, 1, kRelaxed);
        }
        own = take_number(store_->location_count, kMaxCoverLocations);
        if (own == UINT32_MAX) {
          store_->lost_locations.fetch_add(1, kRelaxed);
          return 0;
        }
        store_->locations[own].pc = pc;
        memcpy(store_->locations[own].callers, callers, sizeof store_->locations[own].callers);
      }
      if (index.compare_exchange_strong(found, own, kRelease, kAcquire)) {
        store_->locations[own].ready.store(1, kRelease);
        return own;
      }
    }
    if (found >= kMaxCoverLocations) return 0;
    const CoverLocation& location = store_->locations[found];
    if (location.pc == pc && memcmp(location.callers, callers, sizeof location.callers) == 0)
      return found;
  }
  return 0;
}

void CoverTables::see(std::uint32_t location, std::uint32_t flags) {
  auto& seen = store_->locations[location].seen;
  if ((seen.load(kRelaxed) & flags) != flags) seen.fetch_or(flags, kRelaxed);
}

CoverPair* CoverTables::find_pair(Metric metric, std::uint32_t first, std::uint32_t second,
                                  std::uint64_t address) {
  const std::uint64_t hash =
      mix_hash((std::uint64_t{first} << 32 | second) + (std::uint64_t(metric) << 29));
  std::uint32_t own = UINT32_MAX;
  std::uint32_t slot = hash % kPairSlots;
  for (std::uint32_t i = 0; i < kMostProbes; ++i, slot = (slot + 1) % kPairSlots) {
    auto& index = store_->pair_index[slot];
    std::uint32_t found = index.load(kAcquire);
    if (found == 0) {
      if (own == UINT32_MAX) {
        own = take_number(store_->pair_count, kMaxCoverPairs);
        if (own == UINT32_MAX) {
          store_->lost_pairs.fetch_add(1, kRelaxed);
          return nullptr;
        }
        CoverPair& pair = store_->pairs[own];
        pair.first = first;
        pair.second = second;
        pair.metric = metric;
        pair.address = address;
      }
      if (index.compare_exchange_strong(found, own + 1, kRelease, kAcquire)) {
        store_->pairs[own].ready.store(1, kRelease);
        return &store_->pairs[own];
      }
    }
    if (found > kMaxCoverPairs) return nullptr;
    CoverPair& pair = store_->pairs[found - 1];
    if (pair.first == first && pair.second == second && pair.metric == metric) return &pair;
  }
  return nullptr;
}

void CoverTables::cover(CoverPair* pair, std::uint32_t flags, std::uint64_t address) {
  pair->address = address;
  pair->run = run_;
  pair->calls = store_->calls.load(kRelaxed);
  pair->time_ns = now_ns() - store_->begin_ns;
  pair->flags.fetch_or(flags, kRelease);
}

void CoverTables::pair(Metric metric, std::uint32_t first, std::uint32_t second,
                       std::uint32_t flags, std::uint64_t address) {
  CoverPair* pair = find_pair(metric, first, second, address);
  if (!pair) return;
  const std::uint32_t known = pair->flags.load(kRelaxed);
  if ((known & flags) == flags) return;
  if ((flags & kIsCovered) && !(known & kIsCovered)) return cover(pair, flags, address);
  pair->flags.fetch_or(flags, kRelease);
}

void CoverTables::count(Metric metric, std::uint32_t first, std::uint32_t second) {
  CoverPair* pair = find_pair(metric, first, second, 0);
  if (!pair) return;
  if (!(pair->flags.load(kRelaxed) & kIsCovered)) cover(pair, kIsCovered, 0);
  pair->count.fetch_add(1, kRelaxed);
}

}  // namespace snag::rt
