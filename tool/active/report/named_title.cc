#include "tool/active/report/named_title.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "tool/base/text.h"

namespace snag::active {
namespace {

// What the thread of the cycle at that place waits for; empty if its only name is a letter.
std::string lock_wanted(const Side& side, const report::FailureView& failure) {
  for (const report::ThreadView& thread : failure.threads) {
    if (!thread.in_cycle || thread.stack.empty() || thread.object.size() < 2) continue;
    const report::FrameView& frame = thread.stack.front();
    const std::string where = " at " + frame.place();
    const std::size_t wants = side.text.find("wants ");
    const std::size_t at = wants == std::string::npos ? wants : side.text.find(where, wants);
    if (at == std::string::npos) continue;
    const std::size_t end = at + where.size();
    if (end == side.text.size() || side.text[end] == ' ') return thread.object;
  }
  return "";
}

std::string with_locks(const Candidate& candidate, const report::FailureView& failure) {
  std::vector<std::string> wanted;
  for (const Side& side : candidate.sides) wanted.push_back(lock_wanted(side, failure));
  std::string title = candidate.title;
  for (std::size_t i = 0; i < candidate.sides.size(); ++i) {
    // Each holds what the one before it wants.
    const std::string& held = wanted[(i + wanted.size() - 1) % wanted.size()];
    std::string text = candidate.sides[i].text;
    if (!wanted[i].empty()) replace_all(text, "wants a lock at ", "wants " + wanted[i] + " at ");
    if (!held.empty()) replace_all(text, "holds a lock (", "holds " + held + " (");
    const std::size_t at = title.find(candidate.sides[i].text);
    if (at != std::string::npos) title.replace(at, candidate.sides[i].text.size(), text);
  }
  return title;
}

}  // namespace

std::string named_title(const Candidate& candidate, const report::FailureView& failure) {
  if (candidate.kind == Kind::kDeadlock && failure.kind == FailureKind::kDeadlock)
    return with_locks(candidate, failure);
  std::string title = candidate.title;
  if (candidate.kind != Kind::kRace || failure.kind != FailureKind::kRace || !failure.race)
    return title;
  // The failure itself says on whose stack it is.
  const std::string& variable = failure.race->variable;
  const std::string name = variable.substr(0, variable.find(", on the stack of "));
  if (!name.empty() && !name.starts_with("memory"))
    replace_all(title, " memory at ", " " + name + " at ");
  return title;
}

}  // namespace snag::active
