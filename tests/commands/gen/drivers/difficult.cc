#include "difficult.h"

#include "adapters.h"

SNAG_GEN_CLASS(Difficult)

namespace {
using T = Difficult;
constexpr snag_gen::Constructor constructors[] = {{"Difficult()", "Difficult()", 0, CONSTRUCT()}};
constexpr unsigned kObserver = snag_gen::kConst | snag_gen::kObserver;
constexpr snag_gen::Method methods[] = {
    {"leave()", "{object}.leave()", 0, 0, CALL(c.self<T>().leave())},
    {"crash()", "{object}.crash()", 0, 0, CALL(c.self<T>().crash())},
    {"spin_for_ever()", "{object}.spin_for_ever()", 0, 0, CALL(c.self<T>().spin_for_ever())},
    {"fail(int)", "{object}.fail({0})", 1, 0, CALL(c.self<T>().fail(c.arg<int>(0)))},
    {"compute(int)", "{object}.compute({0})", 1, 0, CALL(c.self<T>().compute(c.arg<int>(0)))},
    {"put()", "{object}.put()", 0, 0, CALL(c.self<T>().put())},
    {"take()", "{object}.take()", 0, 0, CALL(c.self<T>().take())},
    {"serial_number()", "{object}.serial_number()", 0, 0, CALL(c.self<T>().serial_number())},
    {"tokens() const", "{object}.tokens()", 0, kObserver, CALL(c.self<T>().tokens())},
    {"quotient() const", "{object}.quotient()", 0, kObserver, CALL(c.self<T>().quotient())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
