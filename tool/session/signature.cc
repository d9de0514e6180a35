#include "tool/session/signature.h"

#include <fmt/format.h>

#include <set>
#include <span>

#include "tool/base/names.h"
#include "tool/binary/place.h"

namespace snag::session {
namespace {

// The innermost place of a stack that is the user's own; else `pc`, else the innermost of all.
std::string stack_place(const FailedRun& run, std::span<const std::uint64_t> stack,
                        std::uint64_t pc, binary::Symbolizer& symbolizer) {
  const binary::Frame* frame = binary::user_frame(symbolizer, run.modules, stack);
  if (frame == nullptr || !binary::is_user_frame(*frame)) {
    const binary::Frame* at_pc = binary::display_frame(symbolizer.lookup(run.modules, pc));
    if (at_pc != nullptr) frame = at_pc;
  }
  return frame != nullptr ? binary::place_text(frame) : "";
}

}  // namespace

std::string access_place(const FailedRun& run, const AccessReport& access,
                         binary::Symbolizer& symbolizer) {
  return stack_place(run, {access.stack, access.depth}, 0, symbolizer);
}

std::string thread_place(const FailedRun& run, const ThreadReport& thread,
                         binary::Symbolizer& symbolizer) {
  return stack_place(run, {thread.stack, thread.depth}, thread.pending_pc, symbolizer);
}

FailedRun race_alone(FailedRun run) {
  run.kind = FailureKind::kRace;
  run.detail = 0;
  run.thread = run.race->second.thread;
  run.message.clear();
  run.covered = run.diverged = false;
  return run;
}

std::string failure_signature(const FailedRun& run, binary::Symbolizer& symbolizer) {
  std::set<std::string> places;
  if (run.kind == FailureKind::kRace && run.race) {
    for (const AccessReport* access : {&run.race->first, &run.race->second})
      places.insert(access_place(run, *access, symbolizer));
    return fmt::format("race {}", fmt::join(places, ","));
  }
  for (const ThreadReport& thread : run.threads) {
    if (run.concerns(thread)) places.insert(thread_place(run, thread, symbolizer));
  }
  return fmt::format("{} {} {}", run.kind_name(), run.detail, fmt::join(places, ","));
}

}  // namespace snag::session
