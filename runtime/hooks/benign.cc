// Implements <snag/benign.h>.
#include "runtime/detect/races/benign_ranges.h"
#include "runtime/detect/races/races.h"
#include "runtime/hooks/access.h"

SNAG_HOOK void snag_benign_race(const void* address, std::size_t size) {
  if (snag::rt::controlled && snag::rt::race_detection) snag::rt::mark_benign(address, size);
}
