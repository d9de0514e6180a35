// Implements libc: creating, naming, joining and ending threads.
#include <cxxabi.h>
#include <errno.h>
#include <unwind.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <typeinfo>

#include "schedule/enforce/deadlines.h"
#include "schedule/enforce/enforcer.h"
#include "schedule/enforce/wait_scopes.h"
#include "schedule/interpose/next.h"

using namespace snag::schedule;

namespace {

struct Start {
  void* (*function)(void*);
  void* argument;
  Thread* thread;
};

// Also when the thread is ended by pthread_exit or by a cancellation.
struct AtEnd {
  Thread* thread;
  ~AtEnd() { end_thread(thread); }
};

std::string name_of(const std::type_info* type) {
  if (!type) return "of an unknown type";
  int status = 0;
  char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  const std::string text = status == 0 && name ? name : type->name();
  std::free(name);
  return text;
}

// While a schedule is active, an uncaught exception fails the test, and not the process.
void* run_guarded(const Start& start) {
  try {
    return start.function(start.argument);
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (const std::exception& exception) {
    note_exception(start.thread, name_of(&typeid(exception)) + ": " + exception.what());
  } catch (...) {
    note_exception(start.thread, name_of(abi::__cxa_current_exception_type()));
  }
  return nullptr;
}

void* run(void* opaque) {
  const Start start = *static_cast<Start*>(opaque);
  std::free(opaque);
  adopt(start.thread);
  AtEnd at_end{start.thread};
  return watching() ? run_guarded(start) : start.function(start.argument);
}

__attribute__((constructor)) void begin_program() {
  this_thread();
  program_has_begun = true;
}

bool is_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

void forget(Thread* thread) {
  Critical critical;
  thread->ended = thread->joined = true;
}

// Waits for the end of a thread by `join`, unless `thread` (may be null) is over.
template <class Join>
int join(pthread_t handle, std::int64_t deadline, Join wait_for_end) {
  if (inside()) return wait_for_end();
  Thread* thread = nullptr;
  {
    Critical critical;
    thread = find_thread(handle);
  }
  int error = 0;
  {
    auto is_over = [=] { return thread && thread->ended; };
    WaitScope scope({WaitKind::kJoin, thread, nullptr, deadline}, attempt(is_over));
    error = wait_for_end();
  }
  if (error == 0 && thread) {
    Critical critical;
    thread->joined = true;
    if (!watching()) forget_ended_threads();
  }
  return error;
}

}  // namespace

SNAG_INTERPOSE int pthread_create(pthread_t* handle, const pthread_attr_t* attributes,
                                  void* (*function)(void*), void* argument) {
  if (!program_has_begun || inside())
    return next().pthread_create(handle, attributes, function, argument);
  this_thread();
  void* memory = std::malloc(sizeof(Start));
  if (!memory) return EAGAIN;
  Thread* thread = nullptr;
  {
    Critical critical;
    thread = add_thread();
    if (thread) thread->detached = is_detached(attributes);
  }
  if (!thread) {
    std::free(memory);
    return EAGAIN;
  }
  const int error = next().pthread_create(handle, attributes, run,
                                          new (memory) Start{function, argument, thread});
  if (error != 0) {
    std::free(memory);
    forget(thread);
    return error;
  }
  Critical critical;
  // A detached thread may be over by now, and its record another's.
  if (!thread->detached) {
    thread->handle = *handle;
    thread->has_handle = true;
  }
  return 0;
}

SNAG_INTERPOSE int pthread_join(pthread_t handle, void** result) {
  return join(handle, kNever, [=] { return next().pthread_join(handle, result); });
}
SNAG_INTERPOSE int pthread_tryjoin_np(pthread_t handle, void** result) {
  Thread* thread = nullptr;
  {
    Critical critical;
    thread = find_thread(handle);
  }
  const int error = next().pthread_tryjoin_np(handle, result);
  Critical critical;
  if (error == 0 && thread) thread->joined = true;
  return error;
}
SNAG_INTERPOSE int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* time) {
  return join(handle, deadline_of(CLOCK_REALTIME, time),
              [=] { return next().pthread_timedjoin_np(handle, result, time); });
}
SNAG_INTERPOSE int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                        const timespec* time) {
  return join(handle, deadline_of(clock, time),
              [=] { return next().pthread_clockjoin_np(handle, result, clock, time); });
}
SNAG_INTERPOSE int pthread_detach(pthread_t handle) {
  if (inside()) return next().pthread_detach(handle);
  Critical critical;
  if (Thread* thread = find_thread(handle)) {
    thread->detached = true;
    thread->has_handle = false;
  }
  return next().pthread_detach(handle);
}

SNAG_INTERPOSE int pthread_setname_np(pthread_t handle, const char* name) {
  const int error = next().pthread_setname_np(handle, name);
  if (error != 0 || inside()) return error;
  Thread* thread = this_thread();
  if (!pthread_equal(handle, pthread_self())) {
    Critical critical;
    thread = find_thread(handle);
  }
  if (thread) name_thread(thread, name);
  return 0;
}
