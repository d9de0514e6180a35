// What the program has recorded (runtime/cover_protocol.h), in the form of the checker's answer.
#pragma once

#include "coverage/oracle.h"
#include "engine/failure.h"
#include "runtime/cover_protocol.h"

namespace snag::coverage {

// `modules` are those of the trace: the store has numbers of its own for them.
Oracle read_recorded(const CoverStore& store, const engine::ModuleMap& modules);

}  // namespace snag::coverage
