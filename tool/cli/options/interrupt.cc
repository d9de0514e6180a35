#include "tool/cli/options/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <csignal>

namespace snag::cli {
namespace {

volatile std::sig_atomic_t caught = 0;

extern "C" void note_signal(int signal) {
  if (caught != 0) _exit(128 + signal);  // the servers die with their parent
  caught = signal;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: waiting must end.
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interrupted_by() { return caught; }

}  // namespace snag::cli
