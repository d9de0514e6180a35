#include "channel.h"

#include "adapters.h"

SNAG_GEN_CLASS(Channel)

namespace {
using T = Channel;
constexpr snag_gen::Constructor constructors[] = {{"Channel()", "Channel()", 0, CONSTRUCT()}};
constexpr snag_gen::Method methods[] = {
    {"put(int)", "{object}.put({0})", 1, 0, CALL(c.self<T>().put(c.arg<int>(0)))},
    {"take()", "{object}.take()", 0, 0, CALL(c.self<T>().take())},
    {"close()", "{object}.close()", 0, 0, CALL(c.self<T>().close())},
    {"size() const", "{object}.size()", 0, snag_gen::kConst | snag_gen::kObserver,
     CALL(c.self<T>().size())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
