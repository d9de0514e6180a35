// Implements interpose.h: the processors that the program sees.
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "arch/arch.h"
#include "protocol/shared_memory.h"
#include "runtime/base/arena.h"
#include "runtime/interpose/interpose.h"
#include "runtime/sched/context.h"

using namespace snag;
using namespace snag::rt;

extern "C" long __sysconf(int name) noexcept;

namespace snag::rt {
namespace {

constinit std::uint32_t processors = 0;  // 0: those that there are

std::size_t bytes_needed() { return (processors + 63) / 64 * sizeof(std::uint64_t); }

// False if it has no room for them.
bool fill(std::size_t size, void* set) {
  if (size < bytes_needed()) return false;
  auto* bytes = static_cast<unsigned char*>(set);
  memset(bytes, 0, size);
  for (std::uint32_t i = 0; i < processors; ++i)
    bytes[i / 8] = static_cast<unsigned char>(bytes[i / 8] | 1u << i % 8);
  return true;
}

template <class Function>
Function* native_function(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define SNAG_NATIVE(name) static auto* const native = native_function(&::name, #name)

// The n-th of those that the process may use, and again from the first on.
unsigned allowed_processor(unsigned n) {
  if (processors != 0) return n % processors;
  SNAG_NATIVE(sched_getaffinity);
  cpu_set_t set;
  if (native(0, sizeof set, &set) != 0 || CPU_COUNT(&set) == 0) return 0;
  unsigned left = n % static_cast<unsigned>(CPU_COUNT(&set));
  for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(processor, &set) && left-- == 0) return processor;
  }
  return 0;
}

// In fact all threads are on that of the carrier, which the kernel moves as it likes: no replay
// would see the same. So each thread has a processor of its own.
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
    if (processors != 0 && processor >= processors) break;
    if (CPU_ISSET_S(processor, size, set)) {
      thread->pinned_to = processor + 1;
      return 0;
    }
  }
  return EINVAL;
}

// (libc's functions cannot be used yet.)
void find_processors(char** environment) {
  const std::size_t length = strlen(kControlVariable);
  for (char** entry = environment; *entry; ++entry) {
    if (strncmp(*entry, kControlVariable, length) != 0 || (*entry)[length] != '=') continue;
    long file = 0;
    for (const char* c = *entry + length + 1; *c >= '0' && *c <= '9'; ++c)
      file = file * 10 + (*c - '0');
    const long memory = raw_syscall(SYS_mmap, 0, sizeof(Shared), PROT_READ, MAP_SHARED, file, 0);
    if (!is_mapped(memory)) return;
    const auto* shared = reinterpret_cast<const Shared*>(memory);
    if (shared->magic == kProtocolMagic && shared->version == kProtocolId)
      processors = shared->config.settings.processors;
    raw_syscall(SYS_munmap, memory, sizeof(Shared));
    return;
  }
}

bool processor_set(std::size_t size, void* set, long* result) {
  if (processors == 0) return false;
  const bool fits = fill(size, set);
  if (!fits) errno = EINVAL;
  *result = fits ? static_cast<long>(bytes_needed()) : -1;
  return true;
}

}  // namespace snag::rt

SNAG_INTERPOSE int pthread_getaffinity_np(pthread_t handle, std::size_t size, cpu_set_t* set) {
  SNAG_NATIVE(pthread_getaffinity_np);
  if (processors != 0) return fill(size, set) ? 0 : EINVAL;
  return native(controlled ? sched.threads[0].context->handle : handle, size, set);
}
SNAG_INTERPOSE int sched_getaffinity(pid_t process, std::size_t size, cpu_set_t* set) noexcept {
  SNAG_NATIVE(sched_getaffinity);
  long result;
  if (!processor_set(size, set, &result)) return native(process, size, set);
  return result < 0 ? -1 : 0;
}
SNAG_INTERPOSE int sched_setaffinity(pid_t process, std::size_t size,
                                     const cpu_set_t* set) noexcept {
  SNAG_NATIVE(sched_setaffinity);
  Thread* t = controlled ? thread_with_id(process) : nullptr;
  if (!t) return native(process, size, set);
  const int error = pin_thread(t, size, set);
  if (error == 0) return 0;
  errno = error;
  return -1;
}
SNAG_INTERPOSE int sched_getcpu() noexcept {
  SNAG_NATIVE(sched_getcpu);
  return controlled ? static_cast<int>(processor_of(sched.current)) : native();
}
SNAG_INTERPOSE int getcpu(unsigned* processor, unsigned* node) noexcept {
  SNAG_NATIVE(getcpu);
  if (!controlled) return native(processor, node);
  if (processor) *processor = processor_of(sched.current);
  if (node) *node = 0;
  return 0;
}
SNAG_INTERPOSE int get_nprocs() noexcept {
  SNAG_NATIVE(get_nprocs);
  return processors != 0 ? static_cast<int>(processors) : native();
}
SNAG_INTERPOSE int get_nprocs_conf() noexcept {
  SNAG_NATIVE(get_nprocs_conf);
  return processors != 0 ? static_cast<int>(processors) : native();
}
// (libomp and libc's own functions know it by the second name.)
#define SNAG_SYSCONF(function)                                                             \
  SNAG_INTERPOSE long function(int name) noexcept {                                        \
    SNAG_NATIVE(function);                                                                 \
    if (processors != 0 && (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)) \
      return static_cast<long>(processors);                                                \
    return native(name);                                                                   \
  }
SNAG_SYSCONF(sysconf)
SNAG_SYSCONF(__sysconf)
