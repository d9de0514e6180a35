// Implements interleaving.h: one row of an interleaving in words.
#include <fmt/format.h>

#include <cstring>

#include "tool/base/terminal.h"
#include "tool/report/view/interleaving.h"

namespace snag::report {
namespace {

// "writes count_ = 1 -> 2", "is about to write count_ (now 1)"
std::string access_text(const Event& event, const char* verb) {
  if (event.is_undone) {
    const std::string stem(verb, std::strlen(verb) - 1);
    std::string text = "is about to " + stem;
    if (!event.object.empty()) text += " " + event.object;
    return event.value_before ? fmt::format("{} (now {})", text, *event.value_before) : text;
  }
  std::string text =
      event.object.empty() ? std::string(verb) : fmt::format("{} {}", verb, event.object);
  const bool reads = event.op == OpKind::kRead || event.op == OpKind::kAtomicLoad;
  if (!event.value_before) return text;
  text += fmt::format(" = {}", *event.value_before);
  if (!reads && event.value_after) text += fmt::format(" -> {}", *event.value_after);
  return text;
}

std::string verb_text(const Event& event) {
  const auto with_object = [&](const char* verb) {
    return event.object.empty() ? std::string(verb) : fmt::format("{} {}", verb, event.object);
  };
  switch (event.op) {
    case OpKind::kNone:
      return with_object("uses");
    case OpKind::kRead:
      return access_text(event, "reads");
    case OpKind::kWrite:
      return access_text(event, "writes");
    case OpKind::kAtomicLoad:
      return access_text(event, "loads");
    case OpKind::kAtomicStore:
      return access_text(event, "stores");
    case OpKind::kAtomicRmw:
      return access_text(event, "updates");
    case OpKind::kMutexLock:
    case OpKind::kRwWriteLock:
    case OpKind::kSpinLock:
    case OpKind::kMutexTimedLock:
      return with_object("locks");
    case OpKind::kMutexTryLock:
    case OpKind::kRwTryLock:
      return with_object("tries to lock");
    case OpKind::kRwReadLock:
      return with_object("locks to read");
    case OpKind::kMutexUnlock:
    case OpKind::kRwUnlock:
    case OpKind::kSpinUnlock:
      return with_object(event.is_undone ? "is about to unlock" : "unlocks");
    case OpKind::kSemWait:
      return with_object("takes");
    case OpKind::kCondWait:
    case OpKind::kBarrierWait:
    case OpKind::kFutexWait:
      return with_object("waits on");
    case OpKind::kSemTryWait:
      return with_object("tries to take");
    case OpKind::kCondSignal:
      return with_object("signals");
    case OpKind::kCondBroadcast:
      return with_object("signals all at");
    case OpKind::kSemPost:
      return with_object("posts");
    case OpKind::kFutexWake:
      return with_object("wakes");
    case OpKind::kFree:
      return event.object.empty() ? "frees the memory" : with_object("frees the memory of");
    case OpKind::kOpenMp:
      return "asks for OpenMP work";
    case OpKind::kSleep:
      return "has slept";
    case OpKind::kTimeout:
      return "its time is up";
    case OpKind::kSpuriousWakeup:
      return "wakes up without a reason";
    case OpKind::kSpuriousFailure:
      return "the weak exchange fails without a reason";
    default:
      return with_object(op_name(event.op));
  }
}

std::string folded_text(const Event& event) {
  const bool is_first = event.step == 1;
  const char* more = is_first ? "" : "more ";
  if (event.rounds > 0) {
    return fmt::format("... {} {}{} of this loop, {}", grouped(event.rounds), more,
                       event.rounds == 1 ? "round" : "rounds",
                       counted(event.folded, "step", "steps"));
  }
  return fmt::format("... {} {}{}", grouped(event.folded), more,
                     event.folded == 1 ? "step" : "steps");
}

std::string waits_text(const Event& event) {
  if (event.op == OpKind::kThreadJoin) {
    return event.held_by ? fmt::format("waits for T{} to end", *event.held_by)
                         : "waits for a thread to end";
  }
  if (event.held_by) return fmt::format("waits for {}, held by T{}", event.object, *event.held_by);
  return event.object.empty() ? "waits forever" : fmt::format("waits for {}", event.object);
}

}  // namespace

std::string thread_label(Tid thread, const std::string& name) {
  if (thread == 0) return "T0 (main)";
  return name.empty() ? fmt::format("T{}", thread) : fmt::format("T{} ({})", thread, name);
}

std::string value_text(std::uint64_t value, int size) {
  // Small negative numbers are more likely than huge positive ones.
  constexpr std::int64_t kLeast = -1'000'000'000;
  std::int64_t as_signed = 0;
  switch (size) {
    case 1:
      as_signed = static_cast<std::int8_t>(value);
      break;
    case 2:
      as_signed = static_cast<std::int16_t>(value);
      break;
    case 4:
      as_signed = static_cast<std::int32_t>(value);
      break;
    default:
      as_signed = static_cast<std::int64_t>(value);
  }
  if (as_signed < 0 && as_signed >= kLeast) return fmt::format("{}", as_signed);
  if (size == 8 && value > 0xffffffff) return fmt::format("{:#x}", value);
  const std::uint64_t mask = size >= 8 ? ~0ull : (1ull << (size * 8)) - 1;
  return fmt::format("{}", value & mask);
}

std::string event_text(const Event& event) {
  std::string text;
  switch (event.kind) {
    case Event::Kind::kFolded:
      return folded_text(event);
    case Event::Kind::kFailure:
      return event.note;
    case Event::Kind::kWaits:
      text = waits_text(event);
      break;
    case Event::Kind::kPending:
      text = "next: " + verb_text(event);
      break;
    case Event::Kind::kStep:
      text = verb_text(event);
  }
  return event.note.empty() ? text : fmt::format("{}, {}", text, event.note);
}

}  // namespace snag::report
