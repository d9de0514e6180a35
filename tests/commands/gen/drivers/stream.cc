#include "stream.h"

#include "adapters.h"

SNAG_GEN_CLASS(Stream)

namespace {
using T = Stream;
constexpr snag_gen::Constructor constructors[] = {
    {"Stream(const std::string&)", "Stream({0})", 1, CONSTRUCT(c.arg<const std::string&>(0))}};
constexpr snag_gen::Method methods[] = {
    {"read()", "{object}.read()", 0, 0, CALL(c.self<T>().read())},
    {"close()", "{object}.close()", 0, 0, CALL(c.self<T>().close())},
    {"is_open() const", "{object}.is_open()", 0, snag_gen::kConst | snag_gen::kObserver,
     CALL(c.self<T>().is_open())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
