// Looks for a failing schedule with the fewest switches, by trying all: first those with none, then
// those with one, and so on.
//
// A node of the search is a beginning of a schedule together with the thread that goes on next. One
// run executes it until that thread blocks, ends or fails. Each step on the way is a place for one
// more switch, to any thread that could go on there. That is all there is, since a thread that is
// not interrupted runs until it blocks.
//
// Two beginnings with the same steps, exchanged only where the order does not matter, lead to the
// same state: the second is not followed (OrderHash). With `Thorough::kNo` two more kinds are left
// out, which lead nowhere new: a stretch in which a thread does nothing but start; and going on
// with a thread that was interrupted, if nothing has happened since that its next step depends on,
// since it could have taken that step before just as well.
#pragma once

#include <deque>
#include <unordered_set>

#include "tool/shrink/guided_run.h"

namespace snag::shrink {

enum class Thorough { kNo, kYes };

struct SwitchSearchResult {
  std::optional<TargetSchedule> found;  // with the fewest switches
  bool complete = false;                // there is no other within the bounds
};

class SwitchSearch {
 public:
  SwitchSearch(GuidedRunner& runner, Thorough thorough) : runner_(runner), thorough_(thorough) {}

  // Among the schedules with fewer than `limit` switches that begin with `prefix` (all if it is
  // empty; else its last stretch is where other things may happen).
  SwitchSearchResult search(std::size_t limit, const TargetSchedule& prefix);
  // Runs that a search may make; then it ends as not complete.
  void set_patience(std::size_t runs) { patience_ = runs; }

 private:
  static constexpr std::uint32_t kNoParent = ~std::uint32_t{0};
  // The thread goes on where the parent's last stretch was cut after `parent_steps`.
  struct Node {
    std::uint32_t parent;
    std::uint32_t parent_steps;
    Tid thread;
    bool interrupted;      // the parent's thread could have gone on,
    std::vector<Op> next;  // with this, up to where it could be interrupted again
    std::vector<Choice> choices;
  };

  std::vector<Stretch> schedule_of(std::uint32_t node) const;
  // False if there are no more runs.
  bool visit(std::uint32_t node, std::size_t switches);
  void branch(std::uint32_t node, const GuidedLog& log, std::size_t begin, std::size_t switches);
  void branch_at(std::uint32_t node, const GuidedLog& log, std::size_t begin, std::size_t at,
                 std::uint64_t order, std::size_t switches);
  void branch_on_choices(std::uint32_t node, const GuidedLog& log, std::size_t switches);
  // The key of continuing with the thread at the end of the node's run up to `at`.
  bool is_pointless(std::uint32_t node, const GuidedLog& log, std::size_t begin, std::size_t at,
                    Tid thread) const;
  void add(std::size_t switches, Node node);

  GuidedRunner& runner_;
  Thorough thorough_;
  std::size_t patience_ = SIZE_MAX;
  std::size_t limit_ = 0;
  TargetSchedule prefix_;
  std::vector<Node> nodes_;
  std::vector<std::deque<std::uint32_t>> levels_;  // by switches
  std::unordered_set<std::uint64_t> seen_;
  std::optional<TargetSchedule> found_;
  bool too_many_threads_ = false;  // GuidedLog::enabled does not show some threads
};

}  // namespace snag::shrink
