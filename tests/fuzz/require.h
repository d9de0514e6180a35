// A condition that holds for every input; one that breaks it is found like a crash.
#pragma once

#include <cstdio>
#include <cstdlib>

#define REQUIRE(condition)                                                                     \
  ((condition) ? void()                                                                        \
               : (std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), \
                  std::abort()))
