#include "stack.h"

#include "adapters.h"

SNAG_GEN_CLASS(Stack)

namespace {
using T = Stack;
constexpr snag_gen::Constructor constructors[] = {{"Stack()", "Stack()", 0, CONSTRUCT()}};
constexpr snag_gen::Method methods[] = {
    {"push(int)", "{object}.push({0})", 1, 0, CALL(c.self<T>().push(c.arg<int>(0)))},
    {"pop()", "{object}.pop()", 0, 0, CALL(c.self<T>().pop())},
    {"empty() const", "{object}.empty()", 0, snag_gen::kConst | snag_gen::kObserver,
     CALL(c.self<T>().empty())},
    {"size() const", "{object}.size()", 0, snag_gen::kConst | snag_gen::kObserver,
     CALL(c.self<T>().size())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
