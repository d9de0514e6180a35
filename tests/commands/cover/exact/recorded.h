// What the program has recorded (protocol/coverage.h), in the form of the checker's answer.
#pragma once

#include "protocol/coverage.h"
#include "tool/coverage/explain/reference_checker.h"
#include "tool/session/failed_run.h"

namespace snag::coverage {

// `modules` are those of the trace: the store has numbers of its own for them.
Oracle read_recorded(const CoverStore& store, const session::ModuleMap& modules);

}  // namespace snag::coverage
