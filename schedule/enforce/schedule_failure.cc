#include "schedule/enforce/schedule_failure.h"

#include <cstdio>
#include <cstdlib>

namespace snag::schedule {
namespace {

constexpr std::size_t kShownEvents = 50;

std::string schedule_text(const Situation& situation) {
  return situation.name.empty() ? "the schedule" : "schedule " + situation.name;
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string place_of(const snag_event_site* site) {
  return site ? " at " + file_name(site->file) + ":" + std::to_string(site->line) : "";
}

std::string action_text(const ThreadState& thread) {
  if (thread.site) return normal_name(thread.site->name);
  return std::string(keyword_of(thread.action.kind)) + "@" +
         thread_text(thread.number, thread.name);
}

std::string wait_text(const ThreadState& thread) {
  const bool timed = thread.wait.deadline != kNever;
  const std::string limit = timed ? ", with a time limit" : "";
  switch (thread.wait.kind) {
    case WaitKind::kNone:
      return "runs";
    case WaitKind::kMutex:
      return "is blocked: waits for a mutex" + limit;
    case WaitKind::kReadLock:
      return "is blocked: waits to read-lock a read-write lock" + limit;
    case WaitKind::kWriteLock:
      return "is blocked: waits to write-lock a read-write lock" + limit;
    case WaitKind::kCondition:
      return "is blocked: waits on a condition variable" + limit;
    case WaitKind::kSemaphore:
      return "is blocked: waits for a semaphore" + limit;
    case WaitKind::kBarrier:
      return "is blocked: waits at a barrier";
    case WaitKind::kFutex:
      return "is blocked: waits for a value to change (a future, latch, barrier, semaphore or "
             "atomic)" +
             limit;
    case WaitKind::kJoin:
      return "is blocked: waits for the end of " +
             (thread.joins.empty() ? "a thread" : "thread " + thread.joins) + limit;
    case WaitKind::kOnce:
      return "is blocked: waits for an initialisation by another thread";
    case WaitKind::kSleep:
      return "sleeps";
    case WaitKind::kOutside:
      return std::string("is in ") + thread.wait.call + limit;
    case WaitKind::kKernel:
      break;
  }
  return "is blocked: sleeps in the kernel";
}

std::string threads_text(const Situation& situation) {
  std::string text;
  for (const ThreadState& thread : situation.threads) {
    text += "  thread " + thread_text(thread.number, thread.name) + " ";
    if (thread.ended) {
      text += "has ended\n";
    } else if (!thread.in_snag) {
      text += wait_text(thread) + "\n";
    } else {
      text += "waits for the schedule before " + action_text(thread) + place_of(thread.site) + "\n";
      for (const Unmet& unmet : situation.monitor.unmet(thread.action))
        text += "    " + unmet.text + "\n";
    }
  }
  return text;
}

std::string events_text(const Situation& situation) {
  const std::vector<Step> steps = situation.monitor.history();
  if (steps.empty()) return "no event has happened\n";
  std::string text = "events that happened:\n";
  const std::size_t first = steps.size() > kShownEvents ? steps.size() - kShownEvents : 0;
  if (steps[first].position > 1) text += "  ...\n";
  for (std::size_t i = first; i < steps.size(); ++i) {
    text += "  " + std::to_string(steps[i].position) + ". " + situation.monitor.text_of(steps[i]) +
            "\n";
  }
  return text;
}

std::string unreached_text(const Situation& situation) {
  std::string text;
  for (const std::string& event : situation.monitor.unreached())
    text += (text.empty() ? "" : ", ") + event;
  return text;
}

std::string impossible_text(const Situation& situation) {
  std::string text;
  for (const Unmet& unmet : situation.monitor.impossible())
    text += "  cannot be met any more: " + unmet.text + "\n";
  return text;
}

std::string whole(const Situation& situation, const std::string& headline) {
  std::string text = headline + "\n";
  if (!situation.text.empty()) text += "  " + to_string(situation.monitor.schedule()) + "\n";
  return text + threads_text(situation) + impossible_text(situation) + events_text(situation);
}

}  // namespace

std::string thread_text(int number, const std::string& name) {
  return name.empty() ? std::to_string(number) : name;
}

std::string infeasible_text(const Situation& situation) {
  return whole(situation,
               schedule_text(situation) + " cannot be met: all threads wait, and none can go on");
}

std::string deadlock_text(const Situation& situation) {
  return whole(situation, "deadlock: all threads are blocked in the program's own waits (" +
                              schedule_text(situation) + " holds back none of them)");
}

std::string time_limit_text(const Situation& situation, double seconds) {
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g", seconds);
  return whole(situation, schedule_text(situation) + ": nothing has happened for " + limit +
                              " s; these never came: " + unreached_text(situation));
}

std::string left_waiting_text(const Situation& situation) {
  return whole(situation,
               schedule_text(situation) + " was ended while threads were still waiting for it");
}

std::string end_text(const Situation& situation, bool passive, bool abandoned) {
  std::string text;
  if (passive && situation.monitor.first_violation()) {
    text += schedule_text(situation) +
            " was violated: " + situation.monitor.text_of(*situation.monitor.first_violation()) +
            "\n" + events_text(situation);
  }
  const std::string unreached = abandoned ? "" : unreached_text(situation);
  if (!unreached.empty()) {
    text += schedule_text(situation) + ": these events never came: " + unreached + "\n";
    if (!passive || !situation.monitor.first_violation()) text += events_text(situation);
  }
  return text;
}

void die_of(const std::string& text) {
  const std::string whole = "snag: " + text + "\n";
  std::fwrite(whole.data(), 1, whole.size(), stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace snag::schedule
