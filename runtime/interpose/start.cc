// Implements the start of main, on a stack whose place does not vary.
//
// The kernel starts the main thread's stack at a random place, down to the byte. Programs look
// at addresses in small ways (libstdc++ chooses a waiter list by some bits of an atomic's address,
// hash tables of pointers), so the same schedule would not always mean the same run. Here main
// always starts at the same offset within a page; the heap and the other stacks begin at page
// boundaries anyway.
#include <alloca.h>
#include <dlfcn.h>
#include <stdlib.h>

#include <cstdint>

#include "protocol/shared_memory.h"
#include "runtime/detect/locks/lock_check.h"
#include "runtime/interpose/library_waits.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {
namespace {

using Main = int (*)(int, char**, char**);
using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
constinit Main program_main = nullptr;

// libc calls its own exit when main returns, which is noticed here. (Reports leave out frames with
// such names.)
int __snag_main(int argc, char** argv, char** environment) {
  const int status = program_main(argc, argv, environment);
  if (controlled) {
    // Threads that are not joined may be anywhere when the statics are destroyed. (The place is
    // the beginning of main, and a return address: one byte further.)
    if (sched.live_count > 1)
      step(OpKind::kThreadExit, nullptr, reinterpret_cast<std::uint64_t>(program_main) + 1);
    check_end_of_run();
    sched.process_ends = true;
  }
  return status;
}

}  // namespace
}  // namespace snag::rt

using namespace snag::rt;

extern "C" __attribute__((visibility("default"), noinline)) int __libc_start_main(
    int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
    void (*rtld_fini)(), void* stack_end) {
  const auto native = reinterpret_cast<StartMain>(dlsym(RTLD_NEXT, "__libc_start_main"));
  constexpr std::uintptr_t kPage = 4096;
  allow_spinning();  // those of the libraries have run
  if (getenv(snag::kControlVariable)) {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    // At least a page, so that this frame has no influence.
    volatile char* padding = static_cast<volatile char*>(alloca(kPage + here % kPage));
    padding[0] = 0;
    program_main = main;
    main = __snag_main;
  }
  return native(main, argc, argv, init, fini, rtld_fini, stack_end);
}
