// Copies what a program has covered so far from shared memory into the data. The program may have
// overwritten that memory: nothing in it is trusted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "protocol/coverage.h"
#include "tool/base/error.h"
#include "tool/binary/source_lines.h"
#include "tool/binary/variables/variables.h"
#include "tool/coverage/data/data.h"
#include "tool/coverage/measure/cover_places.h"
#include "tool/session/failed_run.h"

namespace snag::coverage {

// The variable that two locations access, given what each may access by its source; empty if that
// is ambiguous.
std::string common_name(const std::vector<std::string>& first,
                        const std::vector<std::string>& second);

class Collector {
 public:
  Collector(CoverData& data, ShardId shard, binary::Symbolizer& symbolizer);

  // May be called any number of times. An error if the data is about another build of a library.
  Expected<void> collect(const CoverStore& store, const binary::ModuleMap& modules);

  // Names the variables of new pairs. Call it at the end of each process, while `modules` still has
  // the addresses: the next process has its memory elsewhere.
  void name_variables(const CoverStore& store, const binary::ModuleMap& modules);

  // All locations of the modules that were seen, also those never executed; after the last
  // `collect`.
  void add_unexecuted();

  // The location of an access, of any measurement; nullopt if it is in no module.
  Expected<std::optional<LocationId>> locate(ModulePc pc, std::span<const ModulePc> callers,
                                             const binary::ModuleMap& modules);

  // Only those of this measurement.
  struct Counts {
    std::uint64_t covered = 0, target = 0;
  };
  Counts location_pairs() const { return location_pairs_; }

 private:
  static constexpr LocationId kNone = UINT32_MAX;

  Expected<LocationId> translate(const CoverLocation& location, const binary::ModuleMap& modules,
                                 std::uint32_t seen);
  const Chain* chain_at(ModulePc pc, const binary::ModuleMap& modules);
  Expected<void> note_module(std::uint32_t index, const std::string& path);
  Expected<void> collect_locations(const CoverStore& store, const binary::ModuleMap& modules);
  void collect_pairs(const CoverStore& store, const binary::ModuleMap& modules);
  void add_count(std::uint32_t number, std::uint32_t pair, std::uint64_t times);
  const std::optional<std::string>& variable_at(const CoverStore& store, std::uint32_t number,
                                                const binary::ModuleMap& modules);
  TextId variable(const CoverStore& store, std::uint32_t number, const binary::ModuleMap& modules);
  const std::vector<std::string>& guesses_at(ModulePc pc, const binary::ModuleMap& modules);

  CoverData& data_;
  ShardId shard_;
  Places places_;
  binary::SourceLines source_;
  binary::Variables variables_;
  std::vector<LocationId> locations_;  // by their numbers in the store
  std::vector<std::uint32_t> seen_;    // the same: what was copied
  std::vector<std::uint32_t> states_;  // of pairs, by their numbers in the store
  std::vector<bool> known_modules_;
  std::unordered_map<std::uint32_t, std::uint64_t> counts_;  // of pairs of the store
  std::unordered_map<std::uint32_t, std::uint64_t> sums_;    // of pairs of the data
  std::unordered_map<ModulePc, std::vector<std::string>> guesses_;
  // The static variable of each pair of the store; empty if it is not static.
  std::vector<std::optional<std::string>> variables_at_;
  std::uint32_t named_ = 0;  // up to here they are named
  Counts location_pairs_;
};

}  // namespace snag::coverage
