#include "account.h"

#include "adapters.h"

SNAG_GEN_CLASS(Account)

namespace {
using T = Account;
constexpr snag_gen::Constructor constructors[] = {
    {"Account(int)", "Account({0})", 1, CONSTRUCT(c.arg<int>(0))}};
constexpr snag_gen::Method methods[] = {
    {"transfer(Account&, int)", "{object}.transfer({0}, {1})", 2, 0,
     CALL(c.self<T>().transfer(c.arg<T&>(0), c.arg<int>(1)))},
    {"balance() const", "{object}.balance()", 0, snag_gen::kConst | snag_gen::kObserver,
     CALL(c.self<T>().balance())},
};
}  // namespace

SNAG_GEN_DRIVER(T, constructors, methods)
