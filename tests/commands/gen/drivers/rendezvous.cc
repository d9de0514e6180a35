#include "rendezvous.h"

#include "adapters.h"

SNAG_GEN_CLASS(Rendezvous)

namespace {
using T = Rendezvous;
constexpr snag_gen::Constructor constructors[] = {{"Rendezvous()", "Rendezvous()", 0, CONSTRUCT()}};
constexpr unsigned kObserver = snag_gen::kConst | snag_gen::kObserver;
constexpr snag_gen::Method methods[] = {
    {"meet()", "{object}.meet()", 0, 0, CALL(c.self<T>().meet())},
    {"lock()", "{object}.lock()", 0, 0, CALL(c.self<T>().lock())},
    {"try_lock()", "{object}.try_lock()", 0, 0, CALL(c.self<T>().try_lock())},
    {"count_down()", "{object}.count_down()", 0, 0, CALL(c.self<T>().count_down())},
    {"await() const", "{object}.await()", 0, snag_gen::kConst, CALL(c.self<T>().await())},
    {"left() const", "{object}.left()", 0, kObserver, CALL(c.self<T>().left())},
    {"set(std::unique_ptr<int>)", "{object}.set({0})", 1, 0,
     CALL(c.self<T>().set(c.arg<std::unique_ptr<int>>(0)))},
    {"get() const", "{object}.get()", 0, kObserver, CALL(c.self<T>().get())},
    {"swap(int)", "{object}.swap({0})", 1, 0, CALL(c.self<T>().swap(c.arg<int>(0)))},
    {"read() const", "{object}.read()", 0, kObserver, CALL(c.self<T>().read())},
    {"write(int)", "{object}.write({0})", 1, 0, CALL(c.self<T>().write(c.arg<int>(0)))},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
