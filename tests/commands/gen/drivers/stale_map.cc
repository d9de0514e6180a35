#include "stale_map.h"

#include "adapters.h"

SNAG_GEN_CLASS(StaleMap)

namespace {
using T = StaleMap;
constexpr snag_gen::Constructor constructors[] = {{"StaleMap()", "StaleMap()", 0, CONSTRUCT()}};
constexpr snag_gen::Method methods[] = {
    {"put(int, const std::string&)", "{object}.put({0}, {1})", 2, 0,
     CALL(c.self<T>().put(c.arg<int>(0), c.arg<const std::string&>(1)))},
    {"remove(int)", "{object}.remove({0})", 1, 0, CALL(c.self<T>().remove(c.arg<int>(0)))},
    {"get(int) const", "{object}.get({0})", 1, snag_gen::kConst,
     CALL(c.self<T>().get(c.arg<int>(0)))},
    {"size() const", "{object}.size()", 0, snag_gen::kConst | snag_gen::kObserver,
     CALL(c.self<T>().size())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
