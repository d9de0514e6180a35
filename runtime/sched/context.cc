#include "runtime/sched/context.h"

#include <errno.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "runtime/base/arena.h"
#include "runtime/base/check.h"
#include "runtime/base/real.h"
#include "runtime/sched/thread_locals.h"

namespace snag::rt {

constinit MadeStacks made_stacks{};
constinit bool switches_stacks = true;

namespace {

constinit Backend backend = Backend::kUser;
constinit Context* free_list = nullptr;
constinit std::uint32_t free_count = 0;
constinit Context* all_contexts = nullptr;
constinit std::uint32_t made = 0;
// Where libc keeps the kernel's id of a thread, from the thread pointer. The kernel clears it when
// the thread ends; recursive and error-checking mutexes compare it, so each context gets a number
// of its own again.
constinit std::size_t tid_offset = 0;
constinit std::ptrdiff_t robust_offset = 0;
// Beyond every id that a kernel hands out (at most 4,194,304), within what a futex word can hold.
constexpr std::uint32_t kFirstVirtualId = 0x20000000;

std::uint32_t* tid_address(unsigned long thread_pointer) {
  return reinterpret_cast<std::uint32_t*>(thread_pointer + tid_offset);
}

void find_tid_offset() {
  if (tid_offset != 0) return;
  const auto id = static_cast<std::uint32_t>(raw_syscall(SYS_gettid));
  tid_offset = find_thread_id(reinterpret_cast<const void*>(thread_pointer()), id);
  SNAG_CHECK(tid_offset != 0, "this libc keeps the thread id where Snag cannot find it");
}

void wait_until_awake(Context* context) {
  while (context->awake.load(std::memory_order_acquire) == 0) futex_wait(&context->awake, 0);
  context->awake.store(0, std::memory_order_relaxed);
}

void* context_main(void* argument) {
  auto* context = static_cast<Context*>(argument);
  context->thread_pointer = thread_pointer();
  if (backend == Backend::kUser) {
    snag_park_and_exit(&context->stack_pointer);
  } else {
    wait_until_awake(context);
  }
  while (!context->retired) run_occupant(context);
  return nullptr;
}

void find_stack(Context* context, const pthread_attr_t* attributes) {
  std::size_t size = 0;
  pthread_attr_getstacksize(attributes, &size);
  context->stack_begin = end_of_stack(context->thread_pointer) - size;
  context->stack_size = size;
}

// The stacks of pooled contexts lie one behind the other, the n-th always at the same place. So a
// thread has the same pthread_t, which is an address on its stack, whether its context was made in
// advance or in the middle of the run: programs hash these.
constinit RuntimePlaces stack_places{kFirstStackPlace};

// Fills in the attributes of a context with a stack of the usual size. False: there is no memory.
bool place_stack(pthread_attr_t* attributes) {
  pthread_getattr_default_np(attributes);
  std::size_t size = 0, guard = 0;
  pthread_attr_getstacksize(attributes, &size);
  pthread_attr_getguardsize(attributes, &guard);
  const long mapped = raw_syscall(SYS_mmap, as_arg(stack_places.take(size + guard)),
                                  static_cast<long>(size + guard), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (!is_mapped(mapped)) return false;
  raw_syscall(SYS_mprotect, mapped, static_cast<long>(guard), PROT_NONE);
  pthread_attr_setstack(attributes, reinterpret_cast<char*>(mapped) + guard, size);
  return true;
}

// With the given attributes, or on a stack of the pool.
Context* make_context(const pthread_attr_t* attributes) {
  pthread_attr_t placed;
  if (!attributes) {
    if (!place_stack(&placed)) return nullptr;
    attributes = &placed;
  }
  static Context* arena = nullptr;
  static std::uint32_t arena_left = 0;
  if (arena_left == 0) {
    constexpr std::uint32_t kMore = 256;
    arena = static_cast<Context*>(map_memory(kMore * sizeof(Context), MAP_PRIVATE | MAP_ANONYMOUS));
    if (!arena) return nullptr;
    arena_left = kMore;
  }
  Context* context = arena++;
  --arena_left;
  // Blocked signals: the new kernel thread must not take one that is meant for the carrier.
  // (But for the synchronous ones: a fault that is blocked kills.)
  constexpr auto bit = [](int signal) { return 1ul << (signal - 1); };
  unsigned long all = ~(bit(SIGSEGV) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGILL) | bit(SIGTRAP) |
                        bit(SIGSYS)),
                before = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_arg(&all), as_arg(&before), 8);
  pthread_t handle;
  const int error = libc_pthread_create(&handle, attributes, context_main, context);
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, as_arg(&before), 0, 8);
  if (error != 0) {
    errno = error;
    return nullptr;
  }
  context->handle = handle;
  context->thread_pointer = static_cast<unsigned long>(handle);
  if (backend == Backend::kUser) {
    // The kernel clears the id when the thread is gone: from then on the stack is ours.
    auto* id = tid_address(context->thread_pointer);
    for (;;) {
      const std::uint32_t value = __atomic_load_n(id, __ATOMIC_ACQUIRE);
      if (value == 0) break;
      futex_wait(id, value);
    }
    *id = kFirstVirtualId + made;
  }
  find_stack(context, attributes);
  made_stacks.include(context->stack_begin, context->stack_begin + context->stack_size);
  ++made;
  context->next_made = all_contexts;
  all_contexts = context;
  return context;
}

// Whether the program supplies the stack, or asks for more than the pooled ones have.
bool wants_own_stack(const pthread_attr_t* attributes) {
  void* address = nullptr;
  std::size_t size = 0, default_size = 0;
  pthread_attr_getstack(attributes, &address, &size);
  // Without a stack libc computes the address from a null end: a value no stack can have.
  const auto lowest = reinterpret_cast<std::uintptr_t>(address);
  if (lowest != 0 && lowest < (1ul << kAddressBits)) return true;
  pthread_attr_t defaults;
  pthread_getattr_default_np(&defaults);
  pthread_attr_getstacksize(&defaults, &default_size);
  pthread_attr_destroy(&defaults);
  return size > default_size;
}

}  // namespace

Backend init_contexts(Backend wanted) {
  backend = wanted == Backend::kUser && can_switch_stacks() ? Backend::kUser : Backend::kFutex;
  switches_stacks = backend == Backend::kUser;
  find_tid_offset();
  void* head = nullptr;
  std::size_t size = 0;
  raw_syscall(SYS_get_robust_list, 0, as_arg(&head), as_arg(&size));
  robust_offset = static_cast<char*>(head) - reinterpret_cast<char*>(thread_pointer());
  return backend;
}

bool forks_keep_contexts() { return switches_stacks; }

Context* obtain_context(const pthread_attr_t* attributes) {
  if (attributes && wants_own_stack(attributes)) {
    pthread_attr_t plain = *attributes;
    pthread_attr_setdetachstate(&plain, PTHREAD_CREATE_JOINABLE);
    Context* context = make_context(&plain);
    if (context) context->special = true;
    return context;
  }
  if (!free_list) prepare_contexts(1);
  if (!free_list) return nullptr;
  Context* context = free_list;
  free_list = context->next_free;
  --free_count;
  if (context->used) reset_thread_locals(context->thread_pointer);
  context->used = true;
  return context;
}

void release_context(Context* context) {
  context->occupant = nullptr;
  if (context->special) {
    // The program may want the stack's memory back: let libc forget the thread for good.
    context->retired = true;
    if (backend == Backend::kUser) {
      *tid_address(context->thread_pointer) = 0;
    } else {
      context->awake.store(1, std::memory_order_release);
      futex_wake(&context->awake);
    }
    real.pthread_join(context->handle, nullptr);
    Context** link = &all_contexts;
    while (*link != context) link = &(*link)->next_made;
    *link = context->next_made;
    return;
  }
  context->next_free = free_list;
  free_list = context;
  ++free_count;
}

void prepare_contexts(std::uint32_t count) {
  while (free_count < count) {
    Context* context = make_context(nullptr);
    if (!context) return;
    // At the end of the list, so that the order of use does not depend on how many were made in
    // advance.
    Context** end = &free_list;
    while (*end) end = &(*end)->next_free;
    *end = context;
    ++free_count;
  }
}

std::uint32_t free_contexts() { return free_count; }

Context* context_of(pthread_t handle) {
  for (Context* c = all_contexts; c; c = c->next_made) {
    if (c->handle == handle) return c;
  }
  return nullptr;
}

Context* context_of_stack(std::uint64_t address) {
  for (Context* c = all_contexts; c; c = c->next_made) {
    if (address - c->stack_begin < c->stack_size) return c;
  }
  return nullptr;
}

void adopt_context(Context* context) {
  context->thread_pointer = thread_pointer();
  context->handle = pthread_self();
  context->special = true;
  pthread_attr_t attributes;
  void* begin = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(context->handle, &attributes) == 0) {
    pthread_attr_getstack(&attributes, &begin, &size);
    pthread_attr_destroy(&attributes);
  }
  context->stack_begin = reinterpret_cast<std::uint64_t>(begin);
  context->stack_size = size;
  context->next_made = all_contexts;
  all_contexts = context;
}

void hand_over(Context* from, Context* to) {
  to->awake.store(1, std::memory_order_release);
  futex_wake(&to->awake);
  wait_until_awake(from);
}

void refresh_thread_id() {
  *tid_address(thread_pointer()) = static_cast<std::uint32_t>(raw_syscall(SYS_gettid));
}

void** robust_list(const Context* context) {
  return reinterpret_cast<void**>(static_cast<std::ptrdiff_t>(context->thread_pointer) +
                                  robust_offset);
}

std::uint32_t thread_id(const Context* context) { return *tid_address(context->thread_pointer); }

std::uint32_t exchange_thread_id(const Context* context, std::uint32_t id) {
  return __atomic_exchange_n(tid_address(context->thread_pointer), id, __ATOMIC_RELAXED);
}

}  // namespace snag::rt
