#include "store.h"

#include "adapters.h"

SNAG_GEN_CLASS(Store)

namespace {
using T = Store;
constexpr snag_gen::Constructor constructors[] = {
    {"make_store()", "make_store()", 0,
     [](snag_gen::Call& c) { c.create<T>([&]() -> decltype(auto) { return make_store(); }); }}};
constexpr snag_gen::Method methods[] = {
    {"set(const std::string&, int)", "{object}.set({0}, {1})", 2, 0,
     CALL(c.self<T>().set(c.arg<const std::string&>(0), c.arg<int>(1)))},
    {"get(const std::string&) const", "{object}.get({0})", 1, snag_gen::kConst,
     CALL(c.self<T>().get(c.arg<const std::string&>(0)))},
    {"increment(const std::string&)", "{object}.increment({0})", 1, 0,
     CALL(c.self<T>().increment(c.arg<const std::string&>(0)))},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
