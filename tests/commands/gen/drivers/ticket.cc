#include "ticket.h"

#include "adapters.h"

SNAG_GEN_CLASS(Ticket)

namespace {
using T = Ticket;
constexpr snag_gen::Constructor constructors[] = {{"Ticket()", "Ticket()", 0, CONSTRUCT()}};
constexpr snag_gen::Method methods[] = {
    {"next()", "{object}.next()", 0, 0, CALL(c.self<T>().next())},
    {"last() const", "{object}.last()", 0, snag_gen::kConst | snag_gen::kObserver,
     CALL(c.self<T>().last())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
