// Ctrl-C and SIGTERM end the work in an orderly way: what was found so far is still reported.
#pragma once

namespace snag::cli {

// From now on the two signals are noted instead of ending the tool; a second one of them ends it at
// once.
void catch_interrupts();
// The signal that came, 0 if none did.
int interrupted_by();

}  // namespace snag::cli
