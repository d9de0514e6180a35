// Short forms of the adapters, for drivers that are written by hand.
#pragma once

#include <snag/gen_driver.h>

#define CALL(...) \
  [](snag_gen::Call& c) { c.returns([&]() -> decltype(auto) { return __VA_ARGS__; }); }
#define CONSTRUCT(...) [](snag_gen::Call& c) { c.construct<T>(__VA_ARGS__); }
