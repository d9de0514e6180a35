// One call of active testing while it lasts: active.cc watches, predicts and tries the candidates,
// failures_told.cc says which failure belongs to which of them.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tool/active/candidates/raced_variable.h"
#include "tool/active/confirm/serial_failures.h"
#include "tool/active/session/active_session.h"
#include "tool/active/session/verdict_file.h"

namespace snag::active {

class ActiveTest {
 public:
  ActiveTest(const ActiveOptions& options, binary::Symbolizer& symbolizer, const ActiveHooks& hooks)
      : options_(options), symbolizer_(symbolizer), hooks_(hooks) {}

  Expected<ActiveResult> run();

 private:
  Expected<std::vector<Candidate>> predict();
  Expected<std::vector<Candidate>> predict_from(std::uint64_t runs);
  std::vector<Candidate> predict_as_before(const std::vector<Candidate>& predicted);
  Expected<void> confirm_all(std::vector<Candidate> candidates);
  Expected<void> follow_surprises();
  Expected<void> confirm(Verdict& verdict, std::size_t number, std::size_t count);
  Expected<void> find_consequences(Verdict& verdict, const ConfirmOptions& options);
  ConfirmOptions confirm_options(std::uint64_t number);
  void confirm_by_others();
  void drop_told_failures();
  const session::FailedRun* shown_run(const Verdict& verdict) const;
  bool is_explained(const session::FailedRun& run);
  void drop_explained();
  void recall();
  void recall_unpredicted();
  void remember(const explore::Finding& finding);
  void store(const Verdict& verdict);
  void take(Verdict& verdict, explore::Finding finding);
  void warn(const std::string& text);
  enum class Keep { kNow, kSoon };
  void keep_verdicts(Keep when);
  std::chrono::duration<double> time_left() const;
  void keep_failures(std::vector<explore::Finding> failures);
  explore::ExploreHooks explore_hooks(std::size_t number, std::size_t count);
  // One line may have races on several variables.
  std::string signature_of(const session::FailedRun& run) {
    return of_failures_.of(run) + " " + raced_variable(run, symbolizer_);
  }
  bool is_over() const {
    const auto time = options_.explore.time;
    return time.count() > 0 && Clock::now() - begin_ >= time;
  }

  const ActiveOptions& options_;
  binary::Symbolizer& symbolizer_;
  const ActiveHooks& hooks_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_writing_ = begin_;
  Stored stored_;
  Signatures of_failures_{symbolizer_};
  SerialFailures serial_{options_.explore, of_failures_, symbolizer_, hooks_.should_stop};
  std::vector<explore::Finding> watched_failures_;
  std::set<std::string> signatures_;              // of the failures
  std::map<std::string, std::string> confirmed_;  // traces by signature
  std::set<std::string> met_;                     // signatures of what failed in this call
  ActiveResult result_;
};

}  // namespace snag::active
