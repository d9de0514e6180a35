// Descriptors that only this process can make ready: pipes, event descriptors and socket pairs of
// its own, and epoll descriptors that watch nothing else. If all threads wait for such, nothing
// from outside will ever come.
#pragma once

#include "arch/arch.h"

namespace snag::rt {

// In the process that outlives the runs, before each of them: what a run inherits, others may have
// as well.
void note_inherited_descriptors();
// Whether nothing outside this process can make the descriptor ready. False if that is not known.
bool only_we_make_ready(int descriptor);
// Whether writing to `written` may make `waited` ready.
bool is_fed_by(int waited, int written);

}  // namespace snag::rt
