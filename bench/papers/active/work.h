// What the programs of this study share.
#pragma once

#include <atomic>

#include "../../programs/check.h"

// Something else that a thread does: operations that all threads see, and that put what came before
// into an order with what others do afterwards. It makes the moment that matters a rare one, and
// hides races from who only looks at the order of the run itself.
inline std::atomic<int> noise = 0;

inline void Work(int steps = 12) {
  for (int i = 0; i < steps; ++i) noise.fetch_add(1);
}
