// Implements setjmp and longjmp: the call stack that the hooks keep, and the signal mask, must be
// restored, too.
#include <setjmp.h>

#include <cstring>

#include "runtime/cover/cover.h"
#include "runtime/interpose/interpose.h"
#include "runtime/record/stack_frames.h"
#include "runtime/sched/observer.h"

using namespace snag;
using namespace snag::rt;

namespace {

using Jump = void (*)(__jmp_buf_tag*, int);

// The kernel's mask is 8 bytes, libc's type 128: the last of them are free for the depth of the
// call stack.
std::uint64_t* depth_of(__jmp_buf_tag* buffer) {
  return reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(buffer) + sizeof(__jmp_buf_tag) -
                                          8);
}

[[noreturn]] void jump(const char* name, __jmp_buf_tag* buffer, int value) {
  const auto native = reinterpret_cast<Jump>(dlsym(RTLD_NEXT, name));
  if (controlled) {
    Thread* t = sched.current;
    StackMemory left{0, 0};
    const bool observed = observes(kObservesCalls);
    if (observed) {
      const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
      left = frames_left(here, *depth_of(buffer));
    }
    if (*depth_of(buffer) <= t->depth) t->depth = static_cast<std::uint32_t>(*depth_of(buffer));
    if (observed) {
      observe_unwound();
      observe_stack_left(left);
    }
    if (buffer->__mask_was_saved)
      memcpy(&t->signal_mask, &buffer->__saved_mask, sizeof t->signal_mask);
  }
  if (hook_mode == HookMode::kCovering) cover_jump(*depth_of(buffer));
  native(buffer, value);
  __builtin_unreachable();
}

}  // namespace

extern "C" {

// Called by the stubs (arch/x86_64/setjmp.S), before the real function saves the registers of their
// caller.
__attribute__((used, visibility("hidden"))) void snag_note_setjmp(__jmp_buf_tag* buffer) {
  if (controlled) {
    *depth_of(buffer) = sched.current->depth;
  } else if (hook_mode == HookMode::kCovering) {
    *depth_of(buffer) = cover_depth();
  }
}
__attribute__((used, visibility("hidden"))) constinit void* snag_real_setjmp[3];

void snag_resolve_setjmp();
}

void snag_resolve_setjmp() {
  snag_real_setjmp[0] = dlsym(RTLD_NEXT, "_setjmp");
  snag_real_setjmp[1] = dlsym(RTLD_NEXT, "setjmp");
  snag_real_setjmp[2] = dlsym(RTLD_NEXT, "__sigsetjmp");
}

extern "C" {
#define SNAG_JUMP(name, quoted)                                                      \
  void snag_##name(__jmp_buf_tag*, int) asm(quoted);                                 \
  __attribute__((visibility("default"))) void snag_##name(__jmp_buf_tag* b, int v) { \
    jump(quoted, b, v);                                                              \
  }
SNAG_JUMP(longjmp, "longjmp")
SNAG_JUMP(plain_longjmp, "_longjmp")
SNAG_JUMP(siglongjmp, "siglongjmp")
SNAG_JUMP(checked_longjmp, "__longjmp_chk")
}
