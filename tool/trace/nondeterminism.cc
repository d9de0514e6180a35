#include "tool/trace/nondeterminism.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/binary/place.h"

namespace snag::trace {
namespace {

std::string what_happened(const ReplayResult& replay) {
  switch (replay.end) {
    case ReplayEnd::kIdentical:
    case ReplayEnd::kSameFailure:
      return "the replay failed in the same way, but not by the same events";
    case ReplayEnd::kOther:
      return fmt::format("the replay failed in another way: {}", replay.run->message);
    case ReplayEnd::kNoFailure:
      return "the replay did not fail";
    case ReplayEnd::kDiverged:
      return fmt::format("the replay differs: {}", replay.message);
    case ReplayEnd::kInterrupted:
      break;
  }
  return "the replay was interrupted";
}

// The first step that differs; empty if one is the beginning of the other.
std::string where_they_part(const session::FailedRun& run, const session::FailedRun& other,
                            binary::Symbolizer& symbolizer) {
  const std::size_t common = std::min(run.steps.size(), other.steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    const Step& a = run.steps[i];
    const Step& b = other.steps[i];
    if (a.thread == b.thread && a.kind == b.kind &&
        run.modules.to_module_pc(a.pc) == other.modules.to_module_pc(b.pc))
      continue;
    const binary::Frame* frame = binary::display_frame(symbolizer.lookup(run.modules, a.pc));
    const std::string place = frame == nullptr ? "" : " at " + binary::place_text(frame);
    return fmt::format("; they part at step {}, where T{} was to {}{}", i + 1, a.thread,
                       op_name(a.kind), place);
  }
  return "";
}

}  // namespace

std::string explain_difference(const session::FailedRun& run, const ReplayResult& replay,
                               binary::Symbolizer& symbolizer) {
  std::string text = what_happened(replay);
  if (replay.end == ReplayEnd::kInterrupted) return text;
  if (replay.run) text += where_they_part(run, *replay.run, symbolizer);
  session::FileChanges files = run.changed_files;
  files.add(replay.changed_files);
  if (files.any()) {
    text += fmt::format(
        "; runs changed files, and later runs find them changed: {}: {} puts them back after each "
        "run",
        files.text(), session::kPutsFilesBack);
  }
  if (!replay.uncontrolled.empty()) {
    return text +
           fmt::format("; seen that no schedule decides: {}", fmt::join(replay.uncontrolled, ", "));
  }
  if (files.any()) return text;
  return text +
         "; nothing uncontrolled was seen, so look for addresses used as values (hashes or orders "
         "of pointers), uninitialised memory, and input that changes";
}

}  // namespace snag::trace
