#include "tool/trace/position_follower.h"

#include <fmt/format.h>

#include <algorithm>

namespace snag::trace {
namespace {

bool contains(std::span<const Tid> threads, Tid thread) {
  return std::find(threads.begin(), threads.end(), thread) != threads.end();
}

std::string ordinal(std::uint64_t n) {
  const std::uint64_t tens = n % 100;
  const char* suffix = "th";
  if (tens < 11 || tens > 13) {
    if (n % 10 == 1) suffix = "st";
    if (n % 10 == 2) suffix = "nd";
    if (n % 10 == 3) suffix = "rd";
  }
  return fmt::format("{}{}", n, suffix);
}

}  // namespace

PositionFollower::PositionFollower(std::vector<Switch> switches) : switches_(std::move(switches)) {
  for (const Switch& s : switches_) {
    keys_.push_back(s.until ? s.until->key() : "");
    if (!s.until) continue;
    stop_keys_.insert(keys_.back());
    if (!s.until->via.empty()) stop_vias_.insert(s.until->via);
  }
}

bool PositionFollower::arrived(const Switch& s) const {
  if (!s.until) return false;
  const auto pending = pending_.find(s.thread);
  const std::string& key = keys_[next_];
  if (pending == pending_.end() || pending->second != key) return false;
  const auto counts = passes_.find(s.thread);
  if (counts == passes_.end()) return s.occurrence <= 1;
  const auto count = counts->second.find(key);
  return (count == counts->second.end() ? 0 : count->second) + 1 >= s.occurrence;
}

std::string PositionFollower::expectation(const Switch& s) const {
  const std::string prefix = fmt::format("switch {} of {}: thread {} was expected ", next_ + 1,
                                         switches_.size(), s.thread);
  if (!s.until) return prefix + "to end";
  return fmt::format("{}at {} '{}' ({} {})", prefix, s.until->place(), s.until->function,
                     ordinal(s.occurrence), op_name(s.until->op));
}

// Takes the switches that are due; returns the thread to run, or kNoTid with the divergence set.
Tid PositionFollower::take_switches(std::span<const Tid> enabled) {
  while (next_ < switches_.size()) {
    const Switch& s = switches_[next_];
    const bool can_run = contains(enabled, s.thread);
    const bool is_there = arrived(s);
    if (!is_there && can_run) return s.thread;
    const bool ends_as_recorded = !s.until;
    if (!contains(enabled, s.to)) {
      divergence_ = "diverged at " + expectation(s) +
                    (is_there || ends_as_recorded
                         ? fmt::format(", then thread {} should continue, but it cannot run", s.to)
                         : std::string(", but it blocked or ended"));
      return kNoTid;
    }
    if (!is_there && !ends_as_recorded && deviation_.empty()) {
      deviation_ = expectation(s) + ", but it blocked or ended before";
    }
    ++next_;
    // The next thread takes at least one step, even if it stands at its own next stop already.
    return s.to;
  }
  // After the last switch the schedule says nothing: the running thread continues as long as it
  // can.
  if (contains(enabled, last_)) return last_;
  return enabled.empty() ? kNoTid : *std::min_element(enabled.begin(), enabled.end());
}

std::string PositionFollower::unfinished() const {
  if (next_ == switches_.size()) return "";
  return "diverged at " + expectation(switches_[next_]) + ", but the program ended";
}

void PositionFollower::run(Tid thread) {
  last_ = thread;
  const auto pending = pending_.find(thread);
  if (pending == pending_.end()) return;
  ++passes_[thread][pending->second];
  pending_.erase(pending);
}

PositionFollower::Answer PositionFollower::answer(const Question& question) {
  const Position& at = question.at;
  if (question.current != kNoTid) {
    std::string key = at.key();
    const bool plain = at.op == OpKind::kRead || at.op == OpKind::kWrite || at.op == OpKind::kFree;
    if (plain && !stop_keys_.contains(key) && contains(question.enabled, question.current)) {
      // The same instruction of a library may be a stop when it is called from elsewhere.
      return {question.current, at.via.empty() || !stop_vias_.contains(at.via)};
    }
    pending_[question.current] = std::move(key);
  }
  const Tid thread = take_switches(question.enabled);
  if (thread != kNoTid) run(thread);
  return {thread, false};
}

}  // namespace snag::trace
