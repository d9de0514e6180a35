// Ctrl-C and SIGTERM end the work in an orderly way: results so far are still reported.
#pragma once

namespace snag::cli {

// From now on the first of the two signals is recorded instead of ending the tool; a second one
// ends it at once.
void catch_interrupts();
// The signal that came, 0 if none did.
int interrupted_by();

}  // namespace snag::cli
