#include "vandal.h"

#include "adapters.h"

SNAG_GEN_CLASS(Vandal)

namespace {
using T = Vandal;
constexpr snag_gen::Constructor constructors[] = {{"Vandal()", "Vandal()", 0, CONSTRUCT()}};
constexpr snag_gen::Method methods[] = {
    {"next()", "{object}.next()", 0, 0, CALL(c.self<T>().next())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
