#include "tool/trace/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tool/base/text.h"
#include "tool/binary/place.h"

namespace snag::trace {
namespace {

const char* kind_in_key(OpKind op) {
  switch (op) {
    case OpKind::kThreadJoin:
    case OpKind::kMutexLock:
    case OpKind::kRwReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kSpinLock:
    case OpKind::kCondWait:
    case OpKind::kSemWait:
    case OpKind::kBarrierWait:
    case OpKind::kOnce:
    case OpKind::kStaticGuard:
    case OpKind::kFutexWait:
    case OpKind::kSleep:
    case OpKind::kTimeout:
    case OpKind::kSpuriousWakeup:
    case OpKind::kExternal:
    case OpKind::kCancel:
    case OpKind::kSignal:
      return "wait";
    default:
      return op_name(op);
  }
}

int line_in_function(const binary::Frame& frame) {
  return frame.function_line > 0 ? frame.line - frame.function_line : frame.line;
}

// The callers of what a stopped thread is about to do. As many as a step has, so that a replay by
// positions sees the same.
std::span<const std::uint64_t> callers_of_pending(const ThreadReport& report) {
  std::span<const std::uint64_t> stack(report.stack, report.depth);
  if (!stack.empty() && stack.front() == report.pending_pc) stack = stack.subspan(1);
  return stack.first(std::min<std::size_t>(stack.size(), kStepFrames));
}

// How often each thread has passed each position.
class PassCounter {
 public:
  std::uint64_t passes(Tid thread, std::uint32_t position) const {
    const auto found = counts_.find(key(thread, position));
    return found == counts_.end() ? 0 : found->second;
  }
  void pass(Tid thread, std::uint32_t position) { ++counts_[key(thread, position)]; }

 private:
  static std::uint64_t key(Tid thread, std::uint32_t position) {
    return (std::uint64_t{thread} << 32) | position;
  }
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
};

}  // namespace

std::string Position::key() const {
  return fmt::format("{}|{}|{}|{}|{}|{}", kind_in_key(op), function, file, line_in_function, column,
                     via);
}

std::string Position::place() const { return binary::place_text(file, line, function); }

Position position_of(OpKind op, const binary::Frames& frames, const binary::Frames& user_frames) {
  Position position;
  position.op = op;
  const binary::Frame* frame = binary::display_frame(user_frames);
  if (frame == nullptr) return position;
  position.function = frame->function;
  position.file = base_name(frame->file);
  position.line = frame->line;
  position.column = frame->column;
  position.line_in_function = line_in_function(*frame);
  const bool plain = op == OpKind::kRead || op == OpKind::kWrite || op == OpKind::kFree;
  if (plain && binary::is_user_frame(*frame) && !frames.empty() &&
      !binary::is_user_frame(frames.front())) {
    const binary::Frame& inner = frames.front();
    position.via = fmt::format("{}+{}:{}", inner.function, line_in_function(inner), inner.column);
  }
  return position;
}

bool PositionTable::is_users(std::uint64_t pc) {
  const auto [entry, is_new] = is_users_.try_emplace(pc, false);
  if (is_new) {
    const binary::Frame* frame = binary::display_frame(symbolizer_.lookup(modules_, pc));
    entry->second = frame != nullptr && binary::is_user_frame(*frame);
  }
  return entry->second;
}

std::uint32_t PositionTable::id(OpKind op, std::uint64_t pc,
                                std::span<const std::uint64_t> callers) {
  Place place{pc, pc};
  if (!is_users(pc)) {
    for (const std::uint64_t caller : callers) {
      if (caller == 0) break;
      if (!is_users(caller)) continue;
      place.user_pc = caller;
      break;
    }
  }
  auto [entry, is_new] = by_place_[static_cast<int>(op)].try_emplace(place, 0);
  if (!is_new) return entry->second;
  Position position = position_of(op, symbolizer_.lookup(modules_, pc),
                                  symbolizer_.lookup(modules_, place.user_pc));
  const auto next = static_cast<std::uint32_t>(positions_.size());
  const auto [known, is_new_position] = by_key_.try_emplace(position.key(), next);
  if (is_new_position) positions_.push_back(std::move(position));
  entry->second = known->second;
  return known->second;
}

std::vector<Stretch> find_stretches(const std::vector<Step>& steps) {
  std::vector<Stretch> stretches;
  for (const Step& step : steps) {
    if (stretches.empty() || stretches.back().thread != step.thread ||
        stretches.back().steps == std::numeric_limits<std::uint32_t>::max()) {
      stretches.push_back({step.thread, 0, 0});
    }
    ++stretches.back().steps;
  }
  return stretches;
}

std::vector<Switch> find_switches(const session::FailedRun& run, binary::Symbolizer& symbolizer) {
  PositionTable positions(symbolizer, run.modules);
  PassCounter counter;
  std::vector<Switch> switches;
  // The switch away from each thread whose next step is not known yet.
  std::unordered_map<Tid, std::size_t> left_at;
  const auto arrive = [&](Tid thread, OpKind op, std::uint64_t pc,
                          std::span<const std::uint64_t> callers) {
    const auto left = left_at.find(thread);
    if (left == left_at.end()) return;
    const std::uint32_t position = positions.id(op, pc, callers);
    Switch& where = switches[left->second];
    where.until = positions.position(position);
    where.occurrence = counter.passes(thread, position) + 1;
    left_at.erase(left);
  };

  std::uint64_t stretch_begin = 0;
  for (std::uint64_t i = 0; i < run.steps.size(); ++i) {
    const Step& step = run.steps[i];
    if (i > 0 && run.steps[i - 1].thread != step.thread) {
      const Tid from = run.steps[i - 1].thread;
      left_at[from] = switches.size();
      switches.push_back({from, i - stretch_begin, std::nullopt, 0, step.thread});
      stretch_begin = i;
      arrive(step.thread, step.kind, step.pc, run.callers(i));
    }
    // At a silent step no switch was possible: a replay by positions does not see it.
    if ((step.flags & kSilentStep) == 0)
      counter.pass(step.thread, positions.id(step.kind, step.pc, run.callers(i)));
  }
  for (const ThreadReport& report : run.threads) {
    if (report.status == ThreadStatus::kFinished || report.pending == OpKind::kNone) continue;
    // Without the callers of the steps, positions with callers would not fit in with the others.
    arrive(report.thread, report.pending, report.pending_pc,
           run.frames.empty() ? std::span<const std::uint64_t>() : callers_of_pending(report));
  }
  return switches;
}

}  // namespace snag::trace
