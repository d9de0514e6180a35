// For the program whose hooks are listened to.
#pragma once

// First; then begin when all code was executed once, and print at the end.
void listen(int mode);
void begin_listening();
void print_accesses();
