#include "schedule/enforce/sleepers.h"

#include "schedule/enforce/kernel_state.h"
#include "schedule/enforce/runtime_calls.h"

namespace snag::schedule {
namespace {

bool wants(const Thread* thread, const void* object) {
  return thread->wait.object == object || (thread->signalled && thread->wait.mutex == object);
}

const Thread* thread_of_task(pid_t tid) {
  if (tid == 0) return nullptr;
  for (const Thread* t = first_thread(); t; t = t->next)
    if (!t->ended && t->tid.load(std::memory_order_relaxed) == tid) return t;
  return nullptr;
}

const Thread* thread_of_runtime(int number) {
  for (const Thread* t = first_thread(); t; t = t->next)
    if (!t->ended && number >= 0 && t->runtime_thread == static_cast<unsigned>(number)) return t;
  return nullptr;
}

// The owner of the lock that the thread waits for; null if it waits for something else, or the
// owner is unknown.
const Thread* holder_of_lock(const Thread* thread) {
  if (is_controlled()) return thread_of_runtime(snag_runtime_holder(thread->runtime_thread));
  const Wait& wait = thread->wait;
  const int* holder = nullptr;
  switch (thread->waits_in.load(std::memory_order_acquire)) {
    case WaitKind::kMutex:
      holder = &static_cast<const pthread_mutex_t*>(wait.object)->__data.__owner;
      break;
    case WaitKind::kReadLock:
    case WaitKind::kWriteLock:
      holder = &static_cast<const pthread_rwlock_t*>(wait.object)->__data.__cur_writer;
      break;
    default:
      return nullptr;
  }
  return wait.shared ? nullptr : thread_of_task(__atomic_load_n(holder, __ATOMIC_RELAXED));
}

// Whether a thread is just locking or unlocking the mutex, so that no owner shows.
bool changes_hands(const Thread* thread) {
  if (is_controlled() || thread->wait.shared || thread->waits_in != WaitKind::kMutex) return false;
  const auto* mutex = static_cast<const pthread_mutex_t*>(thread->wait.object);
  return __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED) == 0;
}

bool runs(const Thread* thread) {
  if (thread->in_snag || thread->found_asleep) return false;
  if (is_controlled()) return !snag_runtime_is_blocked(thread->runtime_thread);
  const WaitKind kind = thread->waits_in.load(std::memory_order_acquire);
  // (Input and output may finish immediately: the kernel has not reported yet that the thread
  // waits.)
  if (kind == WaitKind::kOutside || kind == WaitKind::kKernel) return !thread->reported;
  return kind == WaitKind::kNone || thread->perhaps_awake || is_being_woken(thread);
}

// Whether only the kernel can say if the thread is asleep.
bool is_doubtful(const Thread* thread) {
  const Wait& wait = thread->wait;
  return thread->perhaps_awake || wait.kind == WaitKind::kOutside ||
         wait.kind == WaitKind::kKernel || (wait.deadline != kNever && now() >= wait.deadline) ||
         (wait.kind == WaitKind::kMutex && is_free(wait.object)) || is_being_woken(thread);
}

// Under `snag run` the runtime knows which threads are blocked.
void ask_runtime() {
  for (Thread* t = first_thread(); t; t = t->next) {
    const bool blocked = !t->ended && !t->in_snag && snag_runtime_is_blocked(t->runtime_thread) &&
                         !waits_for_a_moment(t);
    if (blocked != t->reported) tell_monitor(blocked ? EventKind::kBlock : EventKind::kUnblock, t);
  }
}

}  // namespace

bool waits_for_a_moment(const Thread* thread) {
  // A holder that spins until something happens never gives it back by itself.
  constexpr std::int64_t kMoment = 1'000'000'000;
  constexpr int kLongestChain = 64;  // otherwise it is a cycle
  if (!is_controlled() && now() - thread->waits_since > kMoment) return false;
  for (int i = 0; i < kLongestChain; ++i) {
    const Thread* holder = holder_of_lock(thread);
    if (!holder) return changes_hands(thread);
    if (runs(holder)) return true;
    thread = holder;
  }
  return false;
}

bool waits_for(const Thread* thread, const void* object) {
  return thread->waits_in.load(std::memory_order_acquire) != WaitKind::kNone &&
         wants(thread, object);
}

bool is_arriving(const Thread* thread) {
  if (thread->waits_in.load(std::memory_order_acquire) != WaitKind::kCondition) return false;
  const auto* mutex = static_cast<const pthread_mutex_t*>(thread->wait.mutex);
  return mutex && __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED) ==
                      thread->tid.load(std::memory_order_relaxed);
}

bool is_free(const void* mutex) {
  return __atomic_load_n(&static_cast<const pthread_mutex_t*>(mutex)->__data.__lock,
                         __ATOMIC_SEQ_CST) == 0;
}

bool is_being_woken(const Thread* thread) {
  for (const Thread* t = first_thread(); t; t = t->next) {
    const void* object = t->waking.load(std::memory_order_seq_cst);
    if (object && wants(thread, object)) return true;
    if (t != thread && is_arriving(t) && wants(thread, t->wait.mutex)) return true;
  }
  return false;
}

void tell_monitor(EventKind kind, Thread* thread) {
  if (active->monitor.mentions_blocking()) active->monitor.happened(action_of(kind, thread));
  thread->reported = kind == EventKind::kBlock;
}

bool resolve(Thread* thread) {
  if (thread->waits_in.load(std::memory_order_acquire) == WaitKind::kNone) return false;
  if (!is_doubtful(thread)) {
    if (thread->reported) return true;
    if (waits_for_a_moment(thread)) return false;
    tell_monitor(EventKind::kBlock, thread);
    return true;
  }
  const bool certain = !is_being_woken(thread);
  const KernelState state = kernel_state_of(thread, thread->wait);
  if (state == KernelState::kAsleep) {
    if (!thread->reported && waits_for_a_moment(thread)) return false;
    if (certain) thread->perhaps_awake = false;
    if (!thread->reported) tell_monitor(EventKind::kBlock, thread);
    return certain;
  }
  if (state == KernelState::kAwake && thread->reported) tell_monitor(EventKind::kUnblock, thread);
  return false;
}

void forget_sleep(Thread* thread) {
  if (!thread->found_asleep) return;
  thread->found_asleep = false;
  tell_monitor(EventKind::kUnblock, thread);
}

void resolve_all() {
  if (!active->monitor.mentions_blocking()) return;
  if (is_controlled()) return ask_runtime();
  for (Thread* t = first_thread(); t; t = t->next) {
    if (t->waits_in.load(std::memory_order_acquire) != WaitKind::kNone) {
      resolve(t);
    } else if (t->found_asleep &&
               kernel_state_of(t, Wait{WaitKind::kKernel}) != KernelState::kAsleep) {
      forget_sleep(t);
    }
  }
}

// (Checks twice: see sleeps_on.)
void find_sleepers() {
  if (!active->monitor.mentions_blocking()) return;
  for (Thread* t = first_thread(); t; t = t->next) {
    if (t->ended || t->in_snag || t->found_asleep || t->waits_in != WaitKind::kNone) continue;
    if (!sleeps_on(t)) continue;
    t->found_asleep = true;
    tell_monitor(EventKind::kBlock, t);
  }
}

bool has_unresolved() {
  if (!active->monitor.mentions_blocking() || waiting_count.load() == 0) return false;
  for (const Thread* t = first_thread(); t; t = t->next) {
    if (t->waits_in.load(std::memory_order_acquire) == WaitKind::kNone) continue;
    if (!t->reported || t->perhaps_awake) return true;
  }
  return false;
}
}  // namespace snag::schedule
