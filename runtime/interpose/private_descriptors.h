// Which descriptors only this process can make ready. A program whose threads all wait for such
// ones waits for itself: that is a deadlock, and no real time need pass to see it.
#pragma once

#include <sys/socket.h>

namespace snag::rt {

// What is open before the program begins, somebody else may hold as well.
void remember_inherited_descriptors();
// Something was given away that other processes may use from now on: descriptors, to a child or
// over a socket.
void note_shared_descriptors();
void note_sent_descriptors(const msghdr* message);
// False if in doubt: only this process holds what the descriptor refers to, and no clock, signal
// or device can make it ready.
bool is_private_descriptor(int descriptor);

}  // namespace snag::rt
