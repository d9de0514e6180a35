// Which methods the next tests are about.
//
// For each pair of methods, it counts how often the pair was tried, and how often the two were seen
// to run concurrently (covered). The policy `covcon` is that of "CovCon" (Choudhary, Lu, Pradel:
// Efficient Detection of Thread Safety Violations via Coverage-Guided Generation of Concurrent
// Tests): it prefers pairs that were tried seldom, and puts back those that cannot run concurrently
// (often tried, never covered) and those that do so anyway (often covered, hardly tried).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace snag::gen {

using Random = std::mt19937_64;

struct MethodPair {
  std::uint16_t first = 0, second = 0;  // first <= second
  bool operator==(const MethodPair&) const = default;
};

// Of all unordered pairs, those of a method with itself included.
class PairCounts {
 public:
  explicit PairCounts(std::size_t methods);

  std::size_t size() const { return tried_.size(); }
  std::size_t methods() const { return usable_.size(); }
  std::size_t index(std::uint16_t a, std::uint16_t b) const;
  MethodPair pair(std::size_t index) const { return pairs_[index]; }

  std::uint64_t tried(std::size_t index) const { return tried_[index]; }
  std::uint64_t covered(std::size_t index) const { return covered_[index]; }
  void add_tried(std::size_t index, std::uint64_t count = 1) { tried_[index] += count; }
  void add_covered(std::size_t index, std::uint64_t count = 1) { covered_[index] += count; }

  // A method that cannot be called takes its pairs with it.
  void exclude(std::uint16_t method) { usable_[method] = false; }
  bool is_usable(std::uint16_t method) const { return usable_[method]; }
  bool is_usable_pair(std::size_t index) const {
    return usable_[pairs_[index].first] && usable_[pairs_[index].second];
  }

 private:
  std::vector<MethodPair> pairs_;
  std::vector<std::uint64_t> tried_, covered_;
  std::vector<bool> usable_;
};

// The lowest score is next.
std::uint64_t score(std::uint64_t tried, std::uint64_t covered);

enum class PolicyKind { kCovcon, kRandom, kNaive };
inline constexpr const char* kPolicyNames[] = {"covcon", "random", "naive"};

class Policy {
 public:
  virtual ~Policy() = default;
  // The next pair, which then counts as tried; none: the methods of the test are drawn at random
  // (or no pair is left).
  virtual std::optional<MethodPair> next(PairCounts& counts, Random& random) = 0;
};

std::unique_ptr<Policy> make_policy(PolicyKind kind);

}  // namespace snag::gen
