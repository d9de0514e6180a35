// Always-on checks of the runtime's own invariants. A broken one ends the run with a sentence
// instead of going on with a broken state.
#pragma once

namespace snag::rt {

[[noreturn]] void check_failed(const char* condition, const char* message, const char* file,
                               int line);

#define SNAG_CHECK(condition, message) \
  (__builtin_expect(!!(condition), 1)  \
       ? void()                        \
       : ::snag::rt::check_failed(#condition, message, __FILE__, __LINE__))

}  // namespace snag::rt
