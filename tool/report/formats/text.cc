#include "tool/report/formats/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tool/base/names.h"
#include "tool/report/formats/table.h"
#include "tool/toolchain/compiler_args.h"

namespace snag::report {
namespace {

// Enough to see where it is; the rest of a deep stack is in the debugger.
constexpr std::size_t kFailingStack = 8;
constexpr std::size_t kWaitingStack = 3;
constexpr std::size_t kMaxOtherThreads = 12;
constexpr std::size_t kOutputLines = 25;
constexpr std::size_t kMaxOtherPlaces = 30;

std::string doing(const ThreadView& thread) {
  const char* op = op_name(thread.op);
  const std::string object = thread.object.empty() ? "" : " " + thread.object;
  switch (thread.status) {
    case ThreadStatus::kBlocked: {
      if (thread.op == OpKind::kThreadJoin && thread.held_by)
        return fmt::format("waits for T{} to end", *thread.held_by);
      std::string text = fmt::format("waits in {}{}", op, object);
      if (thread.held_by) text += fmt::format(", held by T{}", *thread.held_by);
      if (thread.timed) text += ", with a timeout";
      return text;
    }
    case ThreadStatus::kSleeping:
      return "sleeps";
    case ThreadStatus::kExternal:
      return "is in a system call";
    case ThreadStatus::kFinished:
      return "has ended";
    case ThreadStatus::kRunnable:
      break;
  }
  if (thread.op == OpKind::kNone) return "runs";
  return fmt::format("is about to {}{}", op, object);
}

std::string stack_text(const ThreadView& thread, std::size_t limit, const Painter& painter) {
  std::string text;
  for (std::size_t i = 0; i < std::min(limit, thread.stack.size()); ++i) {
    const FrameView& frame = thread.stack[i];
    text += fmt::format("      {} {}\n", i == 0 ? "at" : "by", frame.text());
    if (i == 0 && !frame.source.empty()) {
      text += fmt::format("         {}\n", painter.paint(Colour::kDim, frame.source));
    }
  }
  if (thread.stack.size() > limit)
    text += fmt::format("      and {} more\n", thread.stack.size() - limit);
  return text;
}

std::string missed_signal_text(const ThreadView& thread) {
  if (!thread.missed_signal) return "";
  const std::string by =
      thread.missed_signal_by ? fmt::format("by T{}", *thread.missed_signal_by) : "";
  const std::string at = thread.missed_signal->text();
  if (thread.status == ThreadStatus::kExternal) {
    return fmt::format("      the last write to what it waits for was made{}: {}\n",
                       by.empty() ? "" : " " + by, at);
  }
  return fmt::format("      the last signal{} came when no thread was waiting: {}\n",
                     by.empty() ? "" : ", " + by + ",", at);
}

std::string output_text(const std::string& output, const Painter& painter, bool all) {
  std::vector<std::string> lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  if (lines.empty()) return "";
  const std::size_t skipped = !all && lines.size() > kOutputLines ? lines.size() - kOutputLines : 0;
  std::string text = "\noutput of the program:\n";
  if (skipped > 0) text = fmt::format("\noutput of the program, last {} lines:\n", kOutputLines);
  for (std::size_t i = skipped; i < lines.size(); ++i) {
    text += fmt::format("  {} {}\n", painter.paint(Colour::kDim, "|"), lines[i]);
  }
  return text;
}

std::string replay_text(const FailureView& failure, const Painter& painter) {
  if (failure.trace_path.empty()) return "";
  std::string text = "\n";
  if (!failure.confirmed && !failure.replay_problem.empty()) {
    text += painter.paint(Colour::kYellow, "not confirmed: ") + failure.replay_problem + "\n";
  }
  // A race is examined once for each pair of instructions, so the number of runs with it is
  // unknown.
  if (failure.count > 1 && failure.kind != FailureKind::kRace)
    text += fmt::format("{} runs failed this way\n", grouped(failure.count));
  const auto command = [&](const char* purpose, const char* options) {
    return fmt::format(
        "{:<18} {}\n", purpose,
        painter.paint(Colour::kBold, fmt::format("snag replay {}{}", options,
                                                 toolchain::quote_argument(failure.trace_path))));
  };
  if (failure.confirmed) text += "confirmed by a replay\n";
  if (failure.confirmed && failure.used_changes.any()) {
    text += fmt::format(
        "but the run used files that earlier runs had changed: {}; the replay may have found them, "
        "too: {} shows whether they are the cause\n",
        failure.used_changes.text(), session::kPutsFilesBack);
  }
  return text + command("to see it again:", "") + command("to open it in gdb:", "--gdb ");
}

// Where else the variable of a race races, in a line each.
std::string other_places_text(const FailureView& failure, const Painter& painter) {
  const std::uint64_t count = failure.other_places.size() + failure.left_out_places;
  if (count == 0 || !failure.race) return "";
  std::string text = fmt::format("\nthe same variable races at {}:\n",
                                 counted(count, "other pair of places", "other pairs of places"));
  std::size_t lines = 0;
  for (const RacePlacesView& places : failure.other_places) {
    if (++lines > kMaxOtherPlaces) break;
    const std::string variable =
        places.variable == failure.race->variable ? "" : places.variable + ": ";
    text += fmt::format("  {}{}", variable, accesses_sentence(places.first, places.second));
    if (!places.trace_path.empty())
      text += fmt::format(": {}", painter.paint(Colour::kDim, places.trace_path));
    text += "\n";
    if (!places.confirmed && !places.replay_problem.empty()) {
      text += fmt::format("    {}{}\n", painter.paint(Colour::kYellow, "not confirmed: "),
                          places.replay_problem);
    }
  }
  if (failure.other_places.size() > kMaxOtherPlaces) {
    text += fmt::format("  and {} more with a trace, which --json lists\n",
                        failure.other_places.size() - kMaxOtherPlaces);
  }
  if (failure.left_out_places > 0) {
    text += fmt::format("  and {} more that were not kept\n", failure.left_out_places);
  }
  return text;
}

// The bad accesses to memory; a race also if the run had another failure.
std::string memory_text(const FailureView& failure, const Painter& painter) {
  std::string text;
  if (failure.heap) text += "\n" + heap_details(*failure.heap, painter);
  if (failure.race && failure.kind == FailureKind::kRace) {
    text += "\n" + race_details(*failure.race, painter);
  } else if (failure.race) {
    text += fmt::format("\nin the same run: {}\n", race_sentence(*failure.race));
  }
  return text;
}

}  // namespace

std::string headline(const FailureView& failure) {
  std::string kind = failure.covered ? "location pair covered" : failure_headline(failure.kind);
  if (has_trait(failure.kind, kDetailIsSignal)) kind = signal_name(failure.detail);
  if (has_trait(failure.kind, kDetailIsStatus)) kind += fmt::format(" {}", failure.detail);
  const std::string after =
      failure.runs == 0 ? "" : fmt::format(" after {}", counted(failure.runs, "run", "runs"));
  return fmt::format("{}{} (seed {}, strategy {})", kind, after, failure.seed,
                     name_of(failure.strategy));
}

std::string threads_text(const FailureView& failure, const Painter& painter) {
  const bool all = never_ends(failure.kind);
  // The important ones first: the cycle, or the thread that failed.
  std::vector<const ThreadView*> threads;
  for (const ThreadView& thread : failure.threads) threads.push_back(&thread);
  const auto matters = [&](const ThreadView& thread) {
    return thread.in_cycle || (failure.thread && thread.thread == *failure.thread);
  };
  std::stable_partition(threads.begin(), threads.end(),
                        [&](const ThreadView* thread) { return matters(*thread); });

  std::string text;
  std::size_t others = 0;
  for (const ThreadView* thread : threads) {
    const bool main_role = matters(*thread);
    if (!main_role && ++others > kMaxOtherThreads) continue;
    const std::string name = painter.paint(main_role ? Colour::kBold : Colour::kNone,
                                           thread_label(thread->thread, thread->name));
    if (!all && main_role) {
      text += fmt::format("  {}\n{}", name, stack_text(*thread, kFailingStack, painter));
      continue;
    }
    text += fmt::format("  {} {}", name, doing(*thread));
    if (all) {
      text += "\n" + stack_text(*thread, kWaitingStack, painter) + missed_signal_text(*thread);
    } else {
      text += thread->stack.empty() ? "\n" : fmt::format(" at {}\n", thread->stack.front().text());
    }
  }
  if (others > kMaxOtherThreads) {
    text += fmt::format("  and {}\n",
                        counted(others - kMaxOtherThreads, "more thread", "more threads"));
  }
  return text;
}

std::string interleaving_text(const FailureView& failure, const Painter& painter) {
  const std::string table = table_text(failure.interleaving, painter);
  if (table.empty()) return "";
  const std::string shrunk = failure.shrunk_from && *failure.shrunk_from > failure.switch_count
                                 ? fmt::format(" (shrunk from {})", grouped(*failure.shrunk_from))
                                 : "";
  return fmt::format("what happened, in {} and {}{}:\n\n{}",
                     counted(failure.steps, "step", "steps"),
                     counted(failure.switch_count, "switch", "switches"), shrunk, table);
}

std::string failure_text(const FailureView& failure, const Painter& painter, bool all_output) {
  std::string text = painter.paint(Colour::kRed, headline(failure)) + "\n";
  std::istringstream lines(message_of(failure));
  for (std::string line; std::getline(lines, line);) text += fmt::format("  {}\n", line);
  const bool about_memory = has_trait(failure.kind, kAboutMemory);
  if (const std::string threads = threads_text(failure, painter); !threads.empty() && !about_memory)
    text += "\n" + threads;
  text += memory_text(failure, painter);
  if (const std::string table = interleaving_text(failure, painter); !table.empty())
    text += "\n" + table;
  if (failure.untimely_end) text += "\n" + failure.untimely_end->text() + "\n";
  text += output_text(failure.output, painter, all_output);
  return text + replay_text(failure, painter) + other_places_text(failure, painter);
}

}  // namespace snag::report
