// Implements memory_view.h: data races and heap errors in words.
#include <fmt/format.h>

#include <algorithm>

#include "tool/report/view/memory_view.h"

namespace snag::report {
namespace {

constexpr std::size_t kMaxFrames = 6;

std::string thread_of(Tid thread) {
  if (thread == kNoTid) return "an unknown thread";
  return thread == 0 ? "T0 (main)" : fmt::format("T{}", thread);
}

std::string verb(const AccessView& access) {
  if (access.is_free) return "free";
  switch (access.sync) {
    case SyncKind::kNone:
      break;
    case SyncKind::kMutex:
      return "use of a mutex";
    case SyncKind::kRwLock:
      return "use of a read-write lock";
    case SyncKind::kSpinLock:
      return "use of a spin lock";
    case SyncKind::kCondition:
      return "use of a condition variable";
    case SyncKind::kSemaphore:
      return "use of a semaphore";
    case SyncKind::kBarrier:
      return "use of a barrier";
  }
  return fmt::format("{}{}", access.is_atomic ? "atomic " : "", access.is_write ? "write" : "read");
}

std::string place_of(const std::vector<FrameView>& stack) {
  return stack.empty() ? "an unknown place" : stack.front().text();
}

std::string bytes(std::uint64_t count) { return counted(count, "byte", "bytes"); }

std::string frames_text(const std::vector<FrameView>& stack, const Painter& painter) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMaxFrames, stack.size()); ++i) {
    text += fmt::format("      {} {}\n", i == 0 ? "at" : "by", stack[i].text());
    if (i == 0 && !stack[i].source.empty())
      text += fmt::format("         {}\n", painter.paint(Colour::kDim, stack[i].source));
  }
  if (stack.size() > kMaxFrames)
    text += fmt::format("      and {} more\n", stack.size() - kMaxFrames);
  return text;
}

std::string access_details(const AccessView& access, const Painter& painter) {
  const std::string what = access.is_free || access.size == 0 || access.sync != SyncKind::kNone
                               ? verb(access)
                               : fmt::format("{} of {}", verb(access), bytes(access.size));
  std::string text =
      fmt::format("  {} by {}\n", painter.paint(Colour::kBold, what), thread_of(access.thread));
  text += frames_text(access.stack, painter);
  for (const HeldLockView& lock : access.locks)
    text += fmt::format("      holding {}, taken at {}\n", lock.name, lock.taken_at.text());
  if (access.locks.empty() && !access.is_free) text += "      holding no lock\n";
  return text;
}

std::string memory_details(const MemoryView& memory, const std::string& variable,
                           const Painter& painter) {
  const auto is_on = [&](const char* what) {
    // The name already says this.
    return variable.empty() ? fmt::format("  it is {} {}\n", what, thread_of(memory.thread)) : "";
  };
  switch (memory.kind) {
    case MemoryKind::kGlobal:
      return fmt::format("  {} is a global variable\n", variable.empty() ? "it" : variable);
    case MemoryKind::kThreadLocal:
      return is_on("thread-local memory of");
    case MemoryKind::kStack:
      return is_on("on the stack of");
    case MemoryKind::kUnknown:
      return "";
    case MemoryKind::kHeap:
      break;
  }
  const std::string what = memory.is_member && !memory.is_freed
                               ? fmt::format("{} is in a block of {}", variable, bytes(memory.size))
                               : fmt::format("the block of {}", bytes(memory.size));
  std::string text = fmt::format("  {}, allocated by {}\n", what, thread_of(memory.thread));
  text += frames_text(memory.alloc_stack, painter);
  if (memory.is_freed) {
    text += fmt::format("  freed by {}\n", thread_of(memory.free_thread));
    text += frames_text(memory.free_stack, painter);
  }
  return text;
}

std::string error_name(HeapError error) {
  switch (error) {
    case HeapError::kUseAfterFree:
      return "use after free";
    case HeapError::kDoubleFree:
      return "double free";
    case HeapError::kOutOfBounds:
      return "access out of bounds";
    case HeapError::kBadFree:
      return "free of something that is not a heap block";
    case HeapError::kNone:
      break;
  }
  return "heap error";
}

}  // namespace

std::string accesses_sentence(const AccessView& first, const AccessView& second) {
  return fmt::format("{} by T{} at {} and {} by T{} at {}", verb(first), first.thread,
                     place_of(first.stack), verb(second), second.thread, place_of(second.stack));
}

std::string race_sentence(const RaceView& race) {
  // In the order of the run.
  return fmt::format("data race on {}: {}",
                     race.variable.empty() ? "unnamed memory" : race.variable,
                     accesses_sentence(race.first, race.second));
}

std::string heap_sentence(const HeapView& heap) {
  std::string text = error_name(heap.error);
  if (!heap.variable.empty()) text += fmt::format(" of {}", heap.variable);
  if (heap.error == HeapError::kOutOfBounds) {
    text += heap.distance < 0 ? fmt::format(", {} before the block",
                                            bytes(static_cast<std::uint64_t>(-heap.distance)))
                              : fmt::format(", {} behind the block",
                                            bytes(static_cast<std::uint64_t>(heap.distance)));
  }
  const AccessView& access = heap.access;
  const std::string what = access.is_free || access.size == 0 || access.sync != SyncKind::kNone
                               ? verb(access)
                               : fmt::format("{} of {}", verb(access), bytes(access.size));
  return fmt::format("{}: {} by T{} at {}", text, what, access.thread, place_of(access.stack));
}

std::string race_details(const RaceView& race, const Painter& painter) {
  return access_details(race.first, painter) + access_details(race.second, painter) +
         memory_details(race.memory, race.variable, painter);
}

std::string heap_details(const HeapView& heap, const Painter& painter) {
  return access_details(heap.access, painter) + memory_details(heap.memory, heap.variable, painter);
}

}  // namespace snag::report
