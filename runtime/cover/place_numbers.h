// From the address of an instruction to the number of its location.
#pragma once

#include <cstdint>

#include "runtime/cover/shared_store.h"

namespace snag::rt {

extern CoverTables cover_tables;

// Where the active functions were called, innermost last.
struct CoverCallers {
  const std::uint64_t* calls = nullptr;
  std::uint32_t depth = 0;
};

// Once, when the modules are known: tables over the code, with the ignored instructions marked.
// `shared`: with the processes that are forked later, so that they need not ask the store again.
void init_cover_places(const Module* modules, std::uint32_t count, bool shared);
// The same for modules that were loaded since then.
void extend_cover_places(const Module* modules, std::uint32_t count);

// The location of an access, with what is `seen` there (LocationSeen) noted. 0: not in instrumented
// code, or its accesses do not count.
std::uint32_t cover_location(std::uint64_t pc, CoverCallers callers, std::uint32_t seen);
// Of a call of a library function: with all the callers that a location can have, whatever
// CoverConfig::context says, since it may be in a wrapper that is called from everywhere.
std::uint32_t cover_call_location(std::uint64_t pc, CoverCallers callers);
// A function begins at `pc`. Its location as a method has no callers.
std::uint32_t cover_method(std::uint64_t pc, CoverCallers callers);

}  // namespace snag::rt
