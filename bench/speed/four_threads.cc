// A small whole program: four threads that count together. Compiled with and without Snag.
#include "workloads.h"

int main() {
  speed::Counters counters;
  speed::in_threads(4, [&] { counters.count(); });
  return counters.locked == 12 && counters.atomic == 12 ? 0 : 1;
}
