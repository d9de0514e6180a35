#include "unmade.h"

#include "adapters.h"

SNAG_GEN_CLASS(Unmade)

namespace {
using T = Unmade;
constexpr snag_gen::Constructor constructors[] = {
    {"Unmade()", "Unmade()", 0, CONSTRUCT()},
    {"Unmade(int)", "Unmade({0})", 1, CONSTRUCT(c.arg<int>(0))},
};
constexpr snag_gen::Method methods[] = {
    {"set(int)", "{object}.set({0})", 1, 0, CALL(c.self<T>().set(c.arg<int>(0)))},
    {"get() const", "{object}.get()", 0, snag_gen::kConst | snag_gen::kObserver,
     CALL(c.self<T>().get())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
