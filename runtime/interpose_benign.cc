// What <snag/benign.h> calls.
#include "runtime/benign.h"
#include "runtime/interpose.h"

SNAG_INTERPOSE void snag_benign_race(const void* address, std::size_t size) {
  if (snag::rt::controlled) snag::rt::mark_benign(address, size);
}
