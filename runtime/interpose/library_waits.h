// Libraries that wait in the kernel without libc: libgomp, the OpenMP library of g++, has the
// futex system call inline, and nothing that is linked can stand before it.
//
// In a controlled process these instructions are replaced by ones that trap, and the handler turns
// the system call into a wait or a wake in the scheduler. (A seccomp filter would do the same, but
// children would inherit it, with addresses that mean something else to them, and containers may
// forbid it.)
#pragma once

#include <signal.h>

#include <cstdint>

namespace snag::rt {

// Replaces them in such libraries that are loaded and not yet treated. False if it cannot: then no
// program that uses the library can be controlled.
bool trap_library_waits();
inline constexpr char kCannotTrap[] =
    "OpenMP cannot be controlled here: the system does not let Snag change libgomp's code in "
    "memory";
// Handles the traps from now on, in this process; what is a fault of the program goes to the
// handler that was there before. After install_failure_handlers.
void handle_library_waits();
// Whether the program's own handler for this signal must not replace the one that is there, and, in
// that case, does what sigaction should.
bool keeps_trap_handler(int signal);
int exchange_trap_action(const struct sigaction* action, struct sigaction* old);

// A library that finds this in the environment does not spin before it waits, since the thread that
// it waits for does not run meanwhile. Call the first one, with the environment that main gets,
// before the constructors of all libraries; the second one, which restores the environment, after
// them.
void forbid_spinning(char** environment);
void allow_spinning();
// The same while a library is loaded later.
class NoSpinning {
 public:
  NoSpinning();
  ~NoSpinning();
  NoSpinning(const NoSpinning&) = delete;
  NoSpinning& operator=(const NoSpinning&) = delete;

 private:
  bool changed_;
};

}  // namespace snag::rt
