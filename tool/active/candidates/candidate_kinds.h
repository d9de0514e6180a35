// The kinds of candidates: one table. `snag active` takes its options, its reports and the
// predictors to call from the rows.
//
// To add a kind:
//   1. add a row here;
//   2. write predict/predict_<word>.cc, which finds candidates in the runs watched (predict.h);
//   3. write confirm/confirm_<word>.cc, which recognises one in a failed run (confirm_kinds.h);
//   4. if no directed strategy steers runs towards it yet, add one (protocol/directed_kinds.h).
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "protocol/shared_memory.h"
#include "tool/suppress/suppressions.h"

namespace snag::active {

// Traits of a kind: bits.
// The runtime's race detector is what reports it, so runs for it are made with the detector on.
inline constexpr unsigned kByRaceDetector = 1;
// The failure names the places of the candidate: two failures at the same places are the same.
inline constexpr unsigned kFailureNamesPlaces = 2;
// Its sides are lock operations, which are schedule points in every run.
inline constexpr unsigned kAtLocks = 4;
// It is an interleaving, not yet an error: it counts only if the program fails because of it.
inline constexpr unsigned kNeedsFailure = 8;
// --strategy assert replaces its directed strategy.
inline constexpr unsigned kHasPaperStrategy = 16;

//   X(kind, word, option, help, singular, plural, directed, suppression, traits)
//
//   word         names it in reports, in JSON, in the file of verdicts, and its functions and files
//   option       restricts `snag active` to it
//   singular     what summaries count
//   directed     the strategy that steers runs towards it
//   suppression  the kind of suppression that applies to it
//
// Summaries list the kinds in this order.
#define SNAG_CANDIDATE_KINDS(X)                                                                    \
  X(kRace, race, "--race",                                                                         \
    "only data races; several of these four can be given; default all "                            \
    "four",                                                                                        \
    "race", "races", DirectedKind::kRace, suppress::SuppressionKind::kRace,                        \
    kByRaceDetector | kFailureNamesPlaces)                                                         \
  X(kDeadlock, deadlock, "--deadlock", "only deadlocks", "deadlock", "deadlocks",                  \
    DirectedKind::kDeadlock, suppress::SuppressionKind::kDeadlock, kAtLocks | kFailureNamesPlaces) \
  X(kAtomicity, atomicity, "--atomicity", "only violations of atomicity",                          \
    "violation of atomicity", "violations of atomicity", DirectedKind::kAtomicity, std::nullopt,   \
    kNeedsFailure)                                                                                 \
  X(kAssertion, assertion, "--assert", "only checks that could fail", "failing check",             \
    "failing checks", DirectedKind::kAssertion, std::nullopt, kHasPaperStrategy)

enum class Kind {
#define SNAG_KIND(kind, ...) kind,
  SNAG_CANDIDATE_KINDS(SNAG_KIND)
#undef SNAG_KIND
};

struct KindRow {
  Kind kind;
  std::string_view name;
  const char* option;
  const char* help;
  const char* singular;
  const char* plural;
  DirectedKind directed;
  std::optional<suppress::SuppressionKind> suppression;
  unsigned traits;

  constexpr bool has(unsigned trait) const { return (traits & trait) != 0; }
};

inline constexpr KindRow kKindRows[] = {
#define SNAG_ROW(kind, word, option, help, singular, plural, directed, suppression, traits) \
  {Kind::kind, #word, option, help, singular, plural, directed, suppression, traits},
    SNAG_CANDIDATE_KINDS(SNAG_ROW)
#undef SNAG_ROW
};
inline constexpr std::size_t kKindCount = std::size(kKindRows);

constexpr const KindRow& row_of(Kind kind) { return kKindRows[static_cast<std::size_t>(kind)]; }
constexpr std::string_view name_of(Kind kind) { return row_of(kind).name; }

// Some of the kinds.
class KindSet {
 public:
  static KindSet all() {
    KindSet result;
    result.bits_.set();
    return result;
  }
  void add(Kind kind) { bits_.set(static_cast<std::size_t>(kind)); }
  bool contains(Kind kind) const { return bits_.test(static_cast<std::size_t>(kind)); }
  bool is_empty() const { return bits_.none(); }

 private:
  std::bitset<kKindCount> bits_;
};

}  // namespace snag::active
