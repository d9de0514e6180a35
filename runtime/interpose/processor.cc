#include "runtime/interpose/processor.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include "runtime/interpose/interpose.h"
#include "runtime/sched/context.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

// The n-th of the processors that the process may use, and again from the first on.
unsigned allowed_processor(unsigned n) {
  static auto* const affinity =
      reinterpret_cast<int (*)(pid_t, size_t, cpu_set_t*)>(dlsym(RTLD_NEXT, "sched_getaffinity"));
  cpu_set_t set;
  if (affinity(0, sizeof set, &set) != 0 || CPU_COUNT(&set) == 0) return 0;
  unsigned left = n % static_cast<unsigned>(CPU_COUNT(&set));
  for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &set) && left-- == 0) return processor;
  }
  return 0;
}

unsigned processor_of(const Thread* t) {
  return t->pinned_to != 0 ? t->pinned_to - 1 : allowed_processor(t->tid);
}

Thread* thread_with_id(pid_t id) {
  if (id == 0) return sched.current;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    Thread* t = &sched.threads[i];
    const bool is_main = i == 0 && id == getpid();
    if (is_main || (i != 0 && t->state != Thread::kFinished &&
                    static_cast<pid_t>(thread_id(t->context)) == id))
      return t;
  }
  return nullptr;
}

}  // namespace

int pin_thread(Thread* thread, std::size_t size, const cpu_set_t* set) {
  if (!thread) return ESRCH;
  for (unsigned processor = 0; processor < 8 * size; ++processor) {
    if (CPU_ISSET_S(processor, size, set)) {
      thread->pinned_to = processor + 1;
      return 0;
    }
  }
  return EINVAL;
}

}  // namespace snag::rt

SNAG_INTERPOSE int sched_getcpu() {
  if (!controlled) {
    static auto* const native = reinterpret_cast<int (*)()>(dlsym(RTLD_NEXT, "sched_getcpu"));
    return native();
  }
  return static_cast<int>(processor_of(sched.current));
}

SNAG_INTERPOSE int getcpu(unsigned* processor, unsigned* node) {
  static auto* const native =
      reinterpret_cast<int (*)(unsigned*, unsigned*)>(dlsym(RTLD_NEXT, "getcpu"));
  if (!controlled) return native(processor, node);
  if (processor) *processor = processor_of(sched.current);
  if (node) *node = 0;
  return 0;
}

SNAG_INTERPOSE int sched_setaffinity(pid_t id, size_t size, const cpu_set_t* set) {
  static auto* const native = reinterpret_cast<int (*)(pid_t, size_t, const cpu_set_t*)>(
      dlsym(RTLD_NEXT, "sched_setaffinity"));
  Thread* t = controlled ? thread_with_id(id) : nullptr;
  if (!t) return native(id, size, set);
  const int error = pin_thread(t, size, set);
  if (error == 0) return 0;
  errno = error;
  return -1;
}
