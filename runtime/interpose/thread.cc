// Implements interpose.h: threads. Creation, end, joining, cancellation, thread-local destructors,
// under their pthread and C11 names.
#include <errno.h>
#include <setjmp.h>
#include <string.h>
#include <unwind.h>

#include "arch/arch.h"
#include "runtime/base/arena.h"
#include "runtime/cover/cover.h"
#include "runtime/detect/locks/lock_check.h"
#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/start_join.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

constexpr int kMaxKeys = 1024;  // PTHREAD_KEYS_MAX
void (*key_destructors[kMaxKeys])(void*);
constinit int key_limit = 0;

Thread* thread_of(pthread_t handle) {
  const Tid tid = sync_object(reinterpret_cast<void*>(handle))->owner;
  return tid == kNoTid ? nullptr : &sched.threads[tid];
}

pthread_t main_handle() { return sched.threads[0].context->handle; }

bool has_finished(const SyncObject* object, const Thread*) {
  return object->owner == kNoTid || sched.threads[object->owner].state == Thread::kFinished;
}

constinit TlsDestructor* free_destructors = nullptr;

TlsDestructor* new_destructor() {
  if (!free_destructors) {
    constexpr int kChunk = 128;
    auto* chunk = map_private<TlsDestructor>(kChunk);
    for (int i = 0; i < kChunk; ++i) {
      chunk[i].next = free_destructors;
      free_destructors = &chunk[i];
    }
  }
  TlsDestructor* entry = free_destructors;
  free_destructors = entry->next;
  return entry;
}

void run_thread_local_destructors(Thread* t) {
  while (TlsDestructor* d = t->destructors) {
    t->destructors = d->next;
    const TlsDestructor copy = *d;
    d->next = free_destructors;
    free_destructors = d;
    copy.function(copy.object);
  }
}

void run_key_destructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (int key = 0; key < key_limit; ++key) {
      if (!key_destructors[key]) continue;
      void* value = real.pthread_getspecific(key);
      if (!value) continue;
      any = true;
      real.pthread_setspecific(key, nullptr);
      if (code_position(reinterpret_cast<std::uint64_t>(key_destructors[key])) == 0) {
        race_release_unseen();
        race_begin_unseen_end();
        key_destructors[key](value);
        race_end_unseen_end();
      } else {
        key_destructors[key](value);
      }
    }
    if (!any) return;
  }
}

void clear_keys() {
  for (int key = 0; key < key_limit; ++key) {
    if (real.pthread_getspecific(key)) real.pthread_setspecific(key, nullptr);
  }
}

// Ends the current thread, wherever it is. Returns when the context has a new occupant.
void end_current_thread() {
  Thread* t = sched.current;
  t->exiting = true;
  run_thread_local_destructors(t);
  run_key_destructors();
  clear_keys();
  // The last thread ends the process, and still has to run: destructors may lock and wait.
  if (sched.live_count == 1) {
    check_end_of_run();
    sched.process_ends = true;
    real.exit(0);
  }
  note_end_of_thread();
  abandon_robust_mutexes(t);
  void* handle = reinterpret_cast<void*>(t->context->handle);
  silent_step(OpKind::kThreadExit, handle, 0);
  observe_thread_ended();
  finish_thread();
  SyncObject* object = sync_object(handle);
  object_changed(object);
  if (sched.live_count == 1)
    object_changed(sync_object(&sched.live_count));  // snag::explore waits for this
  if (t->detached) {
    object->owner = kNoTid;
    if (!t->context->special) release_context(t->context);
  }
  leave_finished_thread();
}

// ---- Leaving a thread from the middle: pthread_exit and cancellation unwind the stack. ----

struct CleanupBuffer {  // layout of libc's __pthread_unwind_buf_t
  long registers[8];
  int mask_was_saved;
  void* pad[4];
};

void leave_all_functions(Thread* t) {
  t->depth = 0;
  if (observes(kObservesCalls)) observe_unwound();
}

_Unwind_Reason_Code unwind_stop(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                _Unwind_Exception*, _Unwind_Context* context, void*) {
  Thread* t = sched.current;
  const auto frame = static_cast<std::uintptr_t>(_Unwind_GetCFA(context));
  if (auto* buffer = static_cast<CleanupBuffer*>(t->cleanup_buffers)) {
    // A handler of pthread_cleanup_push in C code is due when its frame is reached.
    if ((actions & _UA_END_OF_STACK) || frame > reinterpret_cast<std::uintptr_t>(buffer)) {
      // (The buffer is shorter than a jmp_buf: not through our own longjmp, which would look behind
      // its end.)
      static auto* const native =
          reinterpret_cast<void (*)(void*, int)>(dlsym(RTLD_NEXT, "longjmp"));
      native(buffer, 1);
    }
  }
  const bool at_bottom = t->exit_frame && frame > reinterpret_cast<std::uintptr_t>(t->exit_frame);
  if (at_bottom) {
    leave_all_functions(t);
    __builtin_longjmp(t->exit_jump, 1);
  }
  if (actions & _UA_END_OF_STACK) {  // the main thread: no caller to go back to
    leave_all_functions(t);
    end_current_thread();
  }
  return _URC_NO_REASON;
}

void unwind_cleanup(_Unwind_Reason_Code, _Unwind_Exception*) {
  fail(FailureKind::kAbort, 0,
       "a catch (...) block did not rethrow the exception that ends the thread");
}

[[noreturn]] void unwind_thread() {
  auto* exception = reinterpret_cast<_Unwind_Exception*>(sched.current->tables->unwind_exception);
  exception->exception_class = 0;
  exception->exception_cleanup = unwind_cleanup;
  _Unwind_ForcedUnwind(exception, unwind_stop, nullptr);
  fail(FailureKind::kInternal, 0, "the stack of a thread that ends could not be unwound");
}

[[noreturn]] void exit_thread(void* result) {
  Thread* t = sched.current;
  t->exiting = true;
  t->result = result;
  unwind_thread();
}

int create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
           int (*start_c11)(void*), void* argument, std::uint64_t pc) {
  const int saved = errno;
  Context* context = obtain_context(attributes);
  Thread* creator = sched.current;
  Thread* t = context ? add_thread(context, creator) : nullptr;
  if (!t) {
    errno = saved;
    return EAGAIN;
  }
  silent_step(OpKind::kThreadCreate, reinterpret_cast<void*>(std::uintptr_t{t->tid} + 1), pc);
  t->start = start;
  t->start_c11 = start_c11;
  t->argument = argument;
  save_float_modes(t->float_modes);
  t->pinned_to = sched.current->pinned_to;
  int detach_state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &detach_state);
  t->detached = detach_state == PTHREAD_CREATE_DETACHED;
  SyncObject* object = sync_object(reinterpret_cast<void*>(context->handle));
  object->owner = t->tid;
  start_join_created(t, creator);
  observe_thread_created(t);
  *handle = context->handle;
  errno = saved;
  return 0;
}

int join(pthread_t handle, void** result, std::int64_t deadline, bool try_only, std::uint64_t pc) {
  Thread* t = thread_of(handle);
  if (!t) return ESRCH;
  if (t->detached || t->joined) return EINVAL;
  if (t == sched.current) return EDEADLK;
  SyncObject* object = sync_object(reinterpret_cast<void*>(handle));
  test_cancel();
  if (try_only) {
    step(OpKind::kThreadTryJoin, reinterpret_cast<void*>(handle), pc);
    if (t->state != Thread::kFinished) {
      note_read(pc, handle);
      return EBUSY;
    }
  } else {
    sched.current->cancel_point = true;
    const OpKind kind = deadline == kNever ? OpKind::kThreadJoin : OpKind::kThreadTryJoin;
    const Wake wake = step_when(kind, object, has_finished, pc, deadline);
    sched.current->cancel_point = false;
    if (wake == Wake::kCancelled) test_cancel();
    if (wake == Wake::kTimeout) return ETIMEDOUT;
  }
  if (result) *result = t->result;
  t->joined = true;
  start_join_joined(t, sched.current);
  observe_thread_joined(t);
  object->owner = kNoTid;
  release_context(t->context);
  return 0;
}

// Stacks are at equal places in their pages, and what threads have at their tops would compete for
// a few sets of the processor's cache. So each begins a bit lower than the one before, by its
// number and not its context's: a replay must find the same. A multiple of the cache line, for the
// C++ library picks things by lower bits of addresses.
constexpr std::size_t kStackColours = 32;
constexpr std::size_t kStackColour = 2 * kCacheLine;

[[gnu::noinline]] void* call_start(const Thread* t) {
  if (!t->context->special) {
    void* gap = __builtin_alloca(t->tid % kStackColours * kStackColour);
    asm volatile("" : : "r"(gap));
  }
  if (t->start_c11) {
    return reinterpret_cast<void*>(static_cast<std::intptr_t>(t->start_c11(t->argument)));
  }
  return t->start(t->argument);
}

}  // namespace

void run_occupant(Context* context) {
  Thread* t = context->occupant;
  load_float_modes(t->float_modes);
  begin_thread();
  t->exit_frame = __builtin_frame_address(0);
  errno = 0;
  if (__builtin_setjmp(t->exit_jump) == 0) {
    void* result = call_start(sched.current);
    sched.current->result = result;
  }
  end_current_thread();
}

void test_cancel() {
  Thread* t = sched.current;
  if (t->cancel_pending && !t->cancel_disabled && !t->exiting) {
    t->cancel_point = false;
    exit_thread(PTHREAD_CANCELED);
  }
}

void finish_main_destructors() { run_thread_local_destructors(sched.current); }

}  // namespace snag::rt

SNAG_INTERPOSE int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                  void* (*start)(void*), void* argument) {
  if (runs_freely()) {
    return hook_mode == HookMode::kCovering
               ? cover_create_thread(handle, attributes, start, nullptr, argument)
               : real.pthread_create(handle, attributes, start, argument);
  }
  return create(handle, attributes, start, nullptr, argument, SNAG_CALLER);
}

SNAG_INTERPOSE int pthread_join(pthread_t handle, void** result) {
  if (runs_freely()) return real.pthread_join(handle, result);
  return join(handle, result, kNever, false, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_tryjoin_np(pthread_t handle, void** result) {
  if (runs_freely()) return real.pthread_tryjoin_np(handle, result);
  return join(handle, result, kNever, true, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* time) {
  if (runs_freely()) return real.pthread_timedjoin_np(handle, result, time);
  return join(handle, result, deadline_of(CLOCK_REALTIME, time), false, SNAG_CALLER);
}
SNAG_INTERPOSE int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                        const timespec* time) {
  if (runs_freely()) return real.pthread_clockjoin_np(handle, result, clock, time);
  return join(handle, result, deadline_of(clock, time), false, SNAG_CALLER);
}

SNAG_INTERPOSE int pthread_detach(pthread_t handle) {
  if (runs_freely()) return real.pthread_detach(handle);
  Thread* t = thread_of(handle);
  if (!t) return ESRCH;
  if (t->detached) return EINVAL;
  t->detached = true;
  if (t->state == Thread::kFinished) {
    sync_object(reinterpret_cast<void*>(handle))->owner = kNoTid;
    release_context(t->context);
  }
  return 0;
}

SNAG_INTERPOSE void pthread_exit(void* result) {
  if (runs_freely()) {
    real.pthread_exit(result);
    __builtin_unreachable();
  }
  exit_thread(result);
}

SNAG_INTERPOSE int pthread_cancel(pthread_t handle) {
  if (runs_freely()) return real.pthread_cancel(handle);
  Thread* t = thread_of(handle);
  if (!t) return ESRCH;
  step(OpKind::kCancel, reinterpret_cast<void*>(handle), SNAG_CALLER);
  note_write();
  if (t->state == Thread::kFinished || t->cancel_pending) return 0;
  t->cancel_pending = true;
  end_quick_steps();
  if (t == sched.current) {
    if (t->cancel_async) test_cancel();
  } else if (t->cancel_point && !t->cancel_disabled && t->state == Thread::kBlocked) {
    wake_thread(t, Wake::kCancelled);
  }
  return 0;
}

SNAG_INTERPOSE int pthread_setcancelstate(int state, int* old) {
  if (runs_freely()) return real.pthread_setcancelstate(state, old);
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  Thread* t = sched.current;
  if (old) *old = t->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  t->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  if (t->cancel_async) test_cancel();
  return 0;
}
SNAG_INTERPOSE int pthread_setcanceltype(int type, int* old) {
  if (runs_freely()) return real.pthread_setcanceltype(type, old);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  Thread* t = sched.current;
  if (old) *old = t->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  t->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (t->cancel_async) test_cancel();
  return 0;
}
SNAG_INTERPOSE void pthread_testcancel() {
  if (runs_freely()) return real.pthread_testcancel();
  if (sched.current->cancel_disabled) return;
  yield_step(SNAG_CALLER);
  test_cancel();
}

SNAG_INTERPOSE void __pthread_register_cancel(__pthread_unwind_buf_t* opaque) {
  if (runs_freely()) return real.__pthread_register_cancel(opaque);
  auto* buffer = reinterpret_cast<CleanupBuffer*>(opaque);
  buffer->pad[0] = sched.current->cleanup_buffers;
  sched.current->cleanup_buffers = buffer;
}
SNAG_INTERPOSE void __pthread_unregister_cancel(__pthread_unwind_buf_t* opaque) {
  if (runs_freely()) return real.__pthread_unregister_cancel(opaque);
  sched.current->cleanup_buffers = reinterpret_cast<CleanupBuffer*>(opaque)->pad[0];
}
SNAG_INTERPOSE void __pthread_unwind_next(__pthread_unwind_buf_t* opaque) {
  if (runs_freely()) {
    real.__pthread_unwind_next(opaque);
    __builtin_unreachable();
  }
  sched.current->cleanup_buffers = reinterpret_cast<CleanupBuffer*>(opaque)->pad[0];
  unwind_thread();
}

SNAG_INTERPOSE int pthread_setname_np(pthread_t handle, const char* name) {
  if (runs_freely()) return real.pthread_setname_np(handle, name);
  Thread* t = thread_of(handle);
  if (!t) return ESRCH;
  if (strlen(name) > 15) return ERANGE;
  strcpy(t->name, name);
  strcpy(sched.shared->threads[t->tid].name, name);  // for a run that ends without a report
  return 0;
}
SNAG_INTERPOSE int pthread_getname_np(pthread_t handle, char* buffer, size_t size) {
  if (runs_freely()) return real.pthread_getname_np(handle, buffer, size);
  Thread* t = thread_of(handle);
  if (!t) return ESRCH;
  if (t->name[0] == 0) return real.pthread_getname_np(pthread_self(), buffer, size);
  if (strlen(t->name) >= size) return ERANGE;
  strcpy(buffer, t->name);
  return 0;
}
// These ask the kernel about a thread by its id, but the kernel does not know our threads. All of
// them run on the carrier, so its answer is theirs; changes would affect all threads, so they are
// ignored.
SNAG_INTERPOSE int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) {
  static auto* const native =
      reinterpret_cast<int (*)(pthread_t, pthread_attr_t*)>(dlsym(RTLD_NEXT, "pthread_getattr_np"));
  if (runs_freely()) return native(handle, attributes);
  const Thread* t = thread_of(handle);
  const std::uint32_t id =
      t ? exchange_thread_id(t->context, static_cast<std::uint32_t>(real.gettid())) : 0;
  const int error = native(handle, attributes);
  if (t) exchange_thread_id(t->context, id);
  if (t && error == 0) {
    pthread_attr_setdetachstate(attributes,
                                t->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  }
  return error;
}
SNAG_INTERPOSE int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t* set) {
  static auto* const native = reinterpret_cast<int (*)(pthread_t, size_t, const cpu_set_t*)>(
      dlsym(RTLD_NEXT, "pthread_setaffinity_np"));
  return controlled ? pin_thread(thread_of(handle), size, set) : native(handle, size, set);
}
SNAG_INTERPOSE int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) {
  static auto* const native = reinterpret_cast<int (*)(pthread_t, int*, sched_param*)>(
      dlsym(RTLD_NEXT, "pthread_getschedparam"));
  return native(controlled ? main_handle() : handle, policy, parameters);
}
SNAG_INTERPOSE int pthread_setschedparam(pthread_t handle, int policy,
                                         const sched_param* parameters) {
  static auto* const native = reinterpret_cast<int (*)(pthread_t, int, const sched_param*)>(
      dlsym(RTLD_NEXT, "pthread_setschedparam"));
  return controlled ? 0 : native(handle, policy, parameters);
}
SNAG_INTERPOSE int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) {
  if (runs_freely()) return real.pthread_getcpuclockid(handle, clock);
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}

SNAG_INTERPOSE pid_t gettid() {
  if (!controlled || sched.current->tid == 0) return static_cast<pid_t>(real.gettid());
  return static_cast<pid_t>(thread_id(sched.current->context));
}

// ---- Destructors of thread-local variables. ----

// The main thread's run in exit, where libc calls them by itself; those of other threads when the
// thread ends.
SNAG_INTERPOSE int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* library) {
  if (!controlled || sched.current->tid == 0)
    return real.__cxa_thread_atexit_impl(function, object, library);
  TlsDestructor* entry = new_destructor();
  *entry = {function, object, sched.current->destructors};
  sched.current->destructors = entry;
  return 0;
}

SNAG_INTERPOSE int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  const int error = real.pthread_key_create(key, controlled ? nullptr : destructor);
  if (error == 0 && *key < kMaxKeys) {
    key_destructors[*key] = destructor;
    if (key_limit <= static_cast<int>(*key)) key_limit = static_cast<int>(*key) + 1;
  }
  return error;
}
SNAG_INTERPOSE int pthread_key_delete(pthread_key_t key) {
  if (key < kMaxKeys) key_destructors[key] = nullptr;
  return real.pthread_key_delete(key);
}
SNAG_INTERPOSE int tss_create(tss_t* key, tss_dtor_t destructor) {
  pthread_key_t plain;
  if (pthread_key_create(&plain, destructor) != 0) return thrd_error;
  *key = plain;
  return thrd_success;
}
SNAG_INTERPOSE void tss_delete(tss_t key) { pthread_key_delete(key); }

// ---- C11. ----

SNAG_INTERPOSE int thrd_create(thrd_t* handle, thrd_start_t start, void* argument) {
  static auto* const native =
      reinterpret_cast<int (*)(thrd_t*, thrd_start_t, void*)>(dlsym(RTLD_NEXT, "thrd_create"));
  if (hook_mode == HookMode::kNative) return native(handle, start, argument);
  const int error = controlled ? create(handle, nullptr, nullptr, start, argument, SNAG_CALLER)
                               : cover_create_thread(handle, nullptr, nullptr, start, argument);
  return error == 0 ? thrd_success : error == ENOMEM ? thrd_nomem : thrd_error;
}
SNAG_INTERPOSE int thrd_join(thrd_t handle, int* result) {
  void* value = nullptr;
  const int error = !runs_freely() ? join(handle, &value, kNever, false, SNAG_CALLER)
                                   : real.pthread_join(handle, &value);
  if (error != 0) return thrd_error;
  if (result) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return thrd_success;
}
SNAG_INTERPOSE int thrd_detach(thrd_t handle) {
  return pthread_detach(handle) == 0 ? thrd_success : thrd_error;
}
SNAG_INTERPOSE void thrd_exit(int result) {
  pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}
