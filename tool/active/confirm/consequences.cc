#include "tool/active/confirm/consequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "tool/active/confirm/happened.h"
#include "tool/session/signature.h"

namespace snag::active {
namespace {

using session::FailedRun;

// How many schedules to try before the two accesses. Each makes two pairs of runs, since either
// thread may continue first.
constexpr std::uint64_t kBeginnings = 6;
// How often a difference has to be repeated.
constexpr int kRepeats = 2;

// A run that used up its steps or its time says little.
bool is_failure(FailureKind kind) { return is_of_program(kind) && !has_trait(kind, kEndless); }

struct Outcome {
  bool met = false;     // the two accesses happened in the requested order
  bool is_over = true;  // the end of the run can be compared
  std::optional<FailedRun> failure;
  std::string signature;
  std::string output;  // with sorted lines, because threads may print in any order
};

std::string sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, "\n"));
}

class OrderTest {
 public:
  OrderTest(const Candidate& race, const ConfirmOptions& options, binary::Symbolizer& symbolizer,
            const explore::ExploreHooks& hooks)
      : race_(race), explore_(options_for(race, options)), symbolizer_(symbolizer), hooks_(hooks) {}

  Expected<Consequences> run();

 private:
  // `first`: the side that goes first.
  Expected<Outcome> one_run(std::uint64_t number, int first, bool second_goes_on);
  Expected<void> compare(std::uint64_t number, bool second_goes_on);
  // Whether both orders end as before, every time.
  Expected<bool> is_steady(std::uint64_t number, bool second_goes_on, const Outcome (&before)[2],
                           bool by_output);
  std::optional<explore::Finding> find(std::uint64_t number, int first, bool second_goes_on,
                                       const std::string& signature);
  // Whether the failure itself shows that the order mattered. It need not come at the second
  // access: a thread that comes too late may have used the memory before it gets there.
  bool shows_harm(const FailedRun& run) const { return uses_what_is_freed(race_, run); }
  static void set_order(Directed& directed, int first, bool second_goes_on) {
    directed.order = first == 0 ? RaceOrder::kFirstSide : RaceOrder::kSecondSide;
    directed.second_goes_on = second_goes_on ? 1 : 0;
  }

  const Candidate& race_;
  explore::ExploreOptions explore_;
  binary::Symbolizer& symbolizer_;
  const explore::ExploreHooks& hooks_;
  std::uint64_t compared_ = 0, failed_in_both_ = 0;
  // The same schedule ended differently, so a difference between the orders means nothing.
  bool fails_by_chance_ = false, prints_by_chance_ = false;
  bool prints_by_order_ = false;
  Consequences result_;
};

Expected<Outcome> OrderTest::one_run(std::uint64_t number, int first, bool second_goes_on) {
  session::SessionOptions session_options;
  Config& config = session_options.config;
  config.settings = explore_.settings;
  config.settings.races = Races::kOff;
  config.settings.lock_order = false;
  config.keep_output = 1;
  config.first_run = number;
  config.run_stride = 1;
  config.max_runs = 1;
  config.directed = explore_.directed;
  set_order(config.directed, first, second_goes_on);
  session_options.points = explore_.points_at;
  auto session = session::Session::start(explore_.program, session_options);
  if (!session) return tl::unexpected(session.error());
  for (;;) {
    const session::Event event = (*session)->wait(milliseconds(100));
    if (event == session::Event::kDied) return tl::unexpected((*session)->error());
    if (event == session::Event::kFailed || event == session::Event::kFinished) break;
  }
  Outcome outcome;
  Shared& shared = (*session)->shared();
  outcome.met = shared.live.directed.happened.load() != 0;
  outcome.output = sorted_lines((*session)->output_tail(64 * 1024));
  if (shared.live.failures.load() != 0) {
    FailedRun run = copy_failed_run(shared, session::CopyDepth::kEverything);
    // A failure before both accesses happened is not a consequence of their order.
    outcome.met = outcome.met && made_in_order(race_, run, static_cast<std::size_t>(first));
    outcome.is_over = is_failure(run.kind);
    outcome.signature = session::failure_signature(run, symbolizer_);
    outcome.failure = std::move(run);
  }
  (*session)->quit();
  return outcome;
}

Expected<bool> OrderTest::is_steady(std::uint64_t number, bool second_goes_on,
                                    const Outcome (&before)[2], bool by_output) {
  for (int i = 0; i < kRepeats; ++i) {
    for (const int first : {0, 1}) {
      auto again = one_run(number, first, second_goes_on);
      if (!again) return tl::unexpected(again.error());
      if (again->signature != before[first].signature ||
          (by_output && again->output != before[first].output))
        return false;
    }
  }
  return true;
}

// Repeats the run as a finding, with its trace.
std::optional<explore::Finding> OrderTest::find(std::uint64_t number, int first,
                                                bool second_goes_on, const std::string& signature) {
  explore::ExploreOptions explore = explore_;
  explore.runs = 1;
  explore.first_run = number;
  set_order(explore.directed, first, second_goes_on);
  explore.is_enough = [&](const FailedRun& run) {
    return session::failure_signature(run, symbolizer_) == signature &&
           (shows_harm(run) || made_in_order(race_, run, static_cast<std::size_t>(first)));
  };
  explore::ExploreResult explored = explore::Explorer(explore, symbolizer_, hooks_).explore();
  std::optional<explore::Finding> found;
  std::error_code ignored;
  for (explore::Finding& finding : explored.findings) {
    if (!found && finding.confirmed() && explore.is_enough(finding.run))
      found = std::move(finding);
    else if (!finding.trace_path.empty())
      std::filesystem::remove(finding.trace_path, ignored);
  }
  return found;
}

Expected<void> OrderTest::compare(std::uint64_t number, bool second_goes_on) {
  Outcome outcomes[2];
  for (const int first : {0, 1}) {
    auto outcome = one_run(number, first, second_goes_on);
    if (!outcome) return tl::unexpected(outcome.error());
    outcomes[first] = std::move(*outcome);
    if (outcomes[first].failure && shows_harm(*outcomes[first].failure)) {
      result_.failure = find(number, first, second_goes_on, outcomes[first].signature);
      result_.harmful = result_.failure.has_value();
      if (result_.harmful) result_.text = kUsesFreedMemory;
      return {};
    }
    if (!outcomes[first].met || !outcomes[first].is_over) return {};
  }
  ++compared_;
  const bool fails[2] = {outcomes[0].failure.has_value(), outcomes[1].failure.has_value()};
  if (fails[0] != fails[1] && !fails_by_chance_) {
    const auto steady = is_steady(number, second_goes_on, outcomes, false);
    if (!steady) return tl::unexpected(steady.error());
    const int first = fails[0] ? 0 : 1;
    if (*steady) {
      result_.failure = find(number, first, second_goes_on, outcomes[first].signature);
      if (!result_.failure) return {};
      result_.harmful = true;
      result_.text = fmt::format("harmful: where a thread first {}, the program fails",
                                 race_.sides[static_cast<std::size_t>(first)].text);
    } else {
      fails_by_chance_ = true;
    }
    return {};
  }
  if (fails[0] && fails[1]) ++failed_in_both_;
  if (fails[0] || fails[1] || prints_by_chance_ || prints_by_order_ ||
      outcomes[0].output == outcomes[1].output)
    return {};
  const auto steady = is_steady(number, second_goes_on, outcomes, true);
  if (!steady) return tl::unexpected(steady.error());
  (*steady ? prints_by_order_ : prints_by_chance_) = true;
  return {};
}

Expected<Consequences> OrderTest::run() {
  for (std::uint64_t number = 0; number < kBeginnings && !fails_by_chance_; ++number) {
    for (const bool second_goes_on : {false, true}) {
      if (hooks_.should_stop()) break;
      if (auto done = compare(number, second_goes_on); !done) return tl::unexpected(done.error());
      if (result_.harmful) return std::move(result_);
    }
  }
  if (fails_by_chance_) {
    result_.text =
        "its consequences are unknown: a run with the same schedule does not always fail";
  } else if (prints_by_order_) {
    result_.text = "the program's output depends on which of the two comes first";
  } else if (failed_in_both_ > 0) {
    result_.text = "its consequences are unknown: the program fails in both orders of the two";
  } else if (compared_ == 0) {
    result_.text =
        "its consequences were not seen: no two runs differed in the order of the two alone";
  } else {
    result_.text = fmt::format(
        "no consequence seen: in each order of the two {} {}", compared_,
        prints_by_chance_ ? "runs ended alike, but for output that differs from run to run anyway"
                          : "runs ended alike");
  }
  return std::move(result_);
}

}  // namespace

Expected<Consequences> consequences_of(const Candidate& race, const ConfirmOptions& options,
                                       binary::Symbolizer& symbolizer,
                                       const explore::ExploreHooks& hooks) {
  return OrderTest(race, options, symbolizer, hooks).run();
}

}  // namespace snag::active
