#include "tool/gen/session/policy.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace snag::gen {

PairCounts::PairCounts(std::size_t methods) : usable_(methods, true) {
  pairs_.reserve(methods * (methods + 1) / 2);
  for (std::size_t a = 0; a < methods; ++a) {
    for (std::size_t b = a; b < methods; ++b)
      pairs_.push_back({static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)});
  }
  tried_.resize(pairs_.size());
  covered_.resize(pairs_.size());
}

std::size_t PairCounts::index(std::uint16_t a, std::uint16_t b) const {
  if (a > b) std::swap(a, b);
  const std::size_t n = methods();
  return a * n - a * (a - std::size_t{1}) / 2 + (b - a);
}

std::uint64_t score(std::uint64_t tried, std::uint64_t covered) {
  if (tried == 0) return 0;
  const std::uint64_t distance = tried > covered ? tried - covered : covered - tried;
  return std::max<std::uint64_t>(distance, 1) * tried;
}

namespace {

// Draws from the pairs with the lowest score, without replacement; recomputes the scores only when
// none is left.
class Pooled : public Policy {
 public:
  using Score = std::uint64_t (*)(std::uint64_t tried, std::uint64_t covered);
  explicit Pooled(Score score) : score_(score) {}

  std::optional<MethodPair> next(PairCounts& counts, Random& random) override {
    for (int fills = 0; fills < 2;) {
      if (pool_.empty()) {
        fill(counts);
        ++fills;
        if (pool_.empty()) return std::nullopt;
      }
      std::swap(pool_[random() % pool_.size()], pool_.back());
      const std::size_t drawn = pool_.back();
      pool_.pop_back();
      if (!counts.is_usable_pair(drawn)) continue;
      counts.add_tried(drawn);
      return counts.pair(drawn);
    }
    return std::nullopt;
  }

 private:
  void fill(const PairCounts& counts) {
    std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (!counts.is_usable_pair(i)) continue;
      const std::uint64_t value = score_(counts.tried(i), counts.covered(i));
      if (value > lowest) continue;
      if (value < lowest) pool_.clear();
      lowest = value;
      pool_.push_back(i);
    }
  }

  Score score_;
  std::vector<std::size_t> pool_;
};

class RandomMethods : public Policy {
 public:
  std::optional<MethodPair> next(PairCounts&, Random&) override { return std::nullopt; }
};

}  // namespace

std::unique_ptr<Policy> make_policy(PolicyKind kind) {
  switch (kind) {
    case PolicyKind::kCovcon:
      return std::make_unique<Pooled>(score);
    case PolicyKind::kNaive:
      return std::make_unique<Pooled>(
          +[](std::uint64_t tried, std::uint64_t) -> std::uint64_t { return tried; });
    case PolicyKind::kRandom:
      break;
  }
  return std::make_unique<RandomMethods>();
}

}  // namespace snag::gen
