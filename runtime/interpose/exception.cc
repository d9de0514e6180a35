// Implements the reference counts of exceptions, which order the accesses of threads that share an
// exception.
//
// They live in the C++ library, whose atomics are not instrumented. Only releases matter: the last
// one destroys the exception, after everything that the other threads did. Weak: a program that
// contains the library itself (-static-libstdc++) uses its own.
#include "runtime/base/real.h"
#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"

using namespace snag::rt;

namespace {

// The parts of the C++ ABI's record of an exception that are needed here.
struct Handled {  // __cxa_exception and __cxa_dependent_exception
  void* primary;  // of a dependent one: the exception it stands for
  char pad[72];
  std::uint64_t language;  // _Unwind_Exception::exception_class
  char rest[24];
  char object[];
};
static_assert(sizeof(Handled) == 112);
constexpr std::uint64_t kOwn = 0x474e5543432b2b00;  // "GNUCC++\0"
constexpr std::uint64_t kDependent = kOwn + 1;      // made by std::rethrow_exception

void lets_go_of(const void* exception) {
  if (!controlled || !race_detection || !exception) return;
  clock_atomic_modify(sched.current->tid, exception, __ATOMIC_ACQ_REL);
}

}  // namespace

extern "C" __attribute__((weak)) void** __cxa_get_globals();

SNAG_INTERPOSE __attribute__((weak)) void __cxa_end_catch() {
  if (controlled && __cxa_get_globals) {
    if (const auto* handled = static_cast<const Handled*>(*__cxa_get_globals())) {
      if (handled->language == kDependent) lets_go_of(handled->primary);
      if (handled->language == kOwn) lets_go_of(handled->object);
    }
  }
  if (real.__cxa_end_catch) real.__cxa_end_catch();
}

// std::__exception_ptr::exception_ptr::_M_release()
SNAG_INTERPOSE __attribute__((weak)) void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(
    void** self) {
  lets_go_of(*self);
  if (real._ZNSt15__exception_ptr13exception_ptr10_M_releaseEv)
    real._ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(self);
}
