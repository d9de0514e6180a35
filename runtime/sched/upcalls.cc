#include "runtime/sched/upcalls.h"

namespace snag::rt {

constinit Upcalls upcalls{};

}  // namespace snag::rt
