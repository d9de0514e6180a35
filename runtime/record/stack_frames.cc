#include "runtime/record/stack_frames.h"

#include "runtime/base/arena.h"
#include "runtime/sched/context.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

namespace {

constexpr std::uint32_t kMostFrames = 4096;  // deeper functions end with the last of these
constexpr std::uint64_t kLongestFrame = 1 << 20;

struct Frame {
  std::uint64_t stack_pointer;
  std::uint64_t top;  // behind the return address; 0: unknown, so nothing is forgotten
};

struct Frames {
  std::uint64_t used;  // the complement of the lowest address in use since the last function ended
  Frame frames[kMostFrames];
};

constinit Frames* all[kMaxThreads]{};

Frames& frames_of_current() {
  Frames*& frames = all[sched.current->tid];
  if (!frames) frames = map_private<Frames>(1);
  return *frames;
}

std::uint64_t lowest(const Frames& frames) { return ~frames.used; }
void use(Frames& frames, std::uint64_t address) {
  if (address < lowest(frames)) frames.used = ~address;
}

bool is_on_own_stack(std::uint64_t address) {
  const Context* context = sched.current->context;
  return address - context->stack_begin < context->stack_size;
}

// Where the return address of a function is: the place closest below its caller's frame that holds
// it (there may be functions without hooks in between), because values in its own frame may be left
// over from other calls. The outermost function has no known caller.
std::uint64_t find_top(std::uint64_t stack_pointer, std::uint64_t outer, std::uint64_t caller) {
  const auto is_there = [&](std::uint64_t address) {
    return *reinterpret_cast<const std::uint64_t*>(address) == caller;
  };
  if (outer > stack_pointer && outer - stack_pointer <= kLongestFrame) {
    for (std::uint64_t a = outer - 8; a >= stack_pointer; a -= 8) {
      if (is_there(a)) return a + 8;
    }
    return 0;
  }
  const Context* context = sched.current->context;
  std::uint64_t end = context->stack_begin + context->stack_size;
  if (end - stack_pointer > kLongestFrame) end = stack_pointer + kLongestFrame;
  for (std::uint64_t a = stack_pointer; a + 8 <= end; a += 8) {
    if (is_there(a)) return a + 8;
  }
  return 0;
}

StackMemory give_up(Frames& frames, std::uint64_t stack_pointer, const Frame& frame) {
  if (frame.top == 0 || !is_on_own_stack(stack_pointer)) return {0, 0};
  use(frames, stack_pointer);
  const std::uint64_t begin = lowest(frames);
  if (begin >= frame.top) return {0, 0};
  frames.used = ~frame.top;
  return {begin, frame.top - begin};
}

}  // namespace

void frame_begins(std::uint64_t stack_pointer, std::uint64_t caller) {
  const std::uint32_t depth = sched.current->depth;
  // (A function may run elsewhere, on a stack that the program has made.)
  const bool is_own = is_on_own_stack(stack_pointer);
  Frames& frames = frames_of_current();
  if (is_own) use(frames, stack_pointer);
  if (depth >= kMostFrames) return;
  const std::uint64_t outer = depth == 0 ? 0 : frames.frames[depth - 1].stack_pointer;
  const std::uint64_t top = is_own ? find_top(stack_pointer, outer, caller) : 0;
  frames.frames[depth] = {stack_pointer, top};
}

StackMemory frame_ends(std::uint64_t stack_pointer) {
  const std::uint32_t depth = sched.current->depth;
  if (depth == 0 || depth > kMostFrames) return {0, 0};
  Frames& frames = frames_of_current();
  return give_up(frames, stack_pointer, frames.frames[depth - 1]);
}

StackMemory frames_left(std::uint64_t stack_pointer, std::uint64_t depth) {
  if (depth >= sched.current->depth || depth >= kMostFrames) return {0, 0};
  Frames& frames = frames_of_current();
  return give_up(frames, stack_pointer, frames.frames[depth]);
}

}  // namespace snag::rt
