// From the address of an instruction to the number of its location.
#pragma once

#include <cstdint>

#include "runtime/cover_store.h"

namespace snag::rt {

extern CoverTables cover_tables;

// Once, when the modules are known: tables over the code, with the ignored instructions marked.
// `shared`: with the processes that are forked later, so that they need not ask the store again.
void init_cover_places(const Module* modules, bool shared);
// The same for those that were loaded since then.
void extend_cover_places(const Module* modules);

// 0: not in instrumented code, or ignored. `callers`: where the functions that are active were
// called, `depth` of them, the innermost last.
std::uint32_t cover_location(std::uint64_t pc, const std::uint64_t* callers, std::uint32_t depth);
// The same, also of ignored instructions, and with all callers that a location can have, whatever
// CoverConfig::context says: for places in code that everybody calls.
std::uint32_t cover_call_location(std::uint64_t pc, const std::uint64_t* callers,
                                  std::uint32_t depth);
// The location of a function's begin has no callers.
std::uint32_t cover_method(std::uint64_t pc);

}  // namespace snag::rt
