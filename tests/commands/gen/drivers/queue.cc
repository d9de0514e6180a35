#include "queue.h"

#include "adapters.h"

SNAG_GEN_CLASS(Queue)

namespace {
using T = Queue;
constexpr snag_gen::Constructor constructors[] = {
    {"Queue()", "Queue()", 0, CONSTRUCT()},
    {"Queue(int)", "Queue({0})", 1, CONSTRUCT(c.arg<int>(0))},
};
constexpr snag_gen::Method methods[] = {
    {"push(int)", "{object}.push({0})", 1, 0, CALL(c.self<T>().push(c.arg<int>(0)))},
    {"try_pop()", "{object}.try_pop()", 0, 0, CALL(c.self<T>().try_pop())},
    {"try_pop(int&)", "{object}.try_pop({0})", 1, 0, CALL(c.self<T>().try_pop(c.arg<int&>(0)))},
    {"append(const Queue&)", "{object}.append({0})", 1, 0,
     CALL(c.self<T>().append(c.arg<const T&>(0)))},
    {"size() const", "{object}.size()", 0, snag_gen::kConst | snag_gen::kObserver,
     CALL(c.self<T>().size())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
