#include "schedule/enforce/threads.h"

#include <cstdlib>
#include <new>

#include "schedule/enforce/runtime_calls.h"
#include "schedule/enforce/sanitizers.h"

namespace snag::schedule {

thread_local int inside_depth = 0;
constinit thread_local Thread* current_thread = nullptr;
constinit std::atomic<int> waiting_count{0};

namespace {

constinit Lock registry_lock;
constinit Thread* threads = nullptr;
constinit Thread* unused = nullptr;

constexpr int kMostWakes = 16;
constinit Word* to_wake[kMostWakes] = {};  // under the lock
constinit int wakes = 0;

void unlock_and_wake() {
  Word* words[kMostWakes];
  const int count = wakes;
  for (int i = 0; i < count; ++i) words[i] = to_wake[i];
  wakes = 0;
  registry_lock.unlock();
  // Records of threads are used again but never freed, so their words stay where they are.
  for (int i = 0; i < count; ++i) wake_all(*words[i]);
}

}  // namespace

bool program_has_begun = false;

Critical::Critical() {
  ++inside_depth;
  look_away();
  acquire();
}
Critical::~Critical() {
  unlock_and_wake();
  look_again();
  --inside_depth;
}
void Critical::wake_after(Word& word) {
  if (wakes < kMostWakes)
    to_wake[wakes++] = &word;
  else
    wake_all(word);
}
void Critical::release() { unlock_and_wake(); }
void Critical::acquire() {
  if (current_thread) current_thread->wants_lock = true;
  registry_lock.lock();
  if (current_thread) current_thread->wants_lock = false;
}
void Critical::pause() {
  unlock_and_wake();
  --inside_depth;
}
void Critical::resume() {
  ++inside_depth;
  acquire();
}

Thread* first_thread() { return threads; }

Thread* add_thread() {
  void* memory = unused;
  if (unused)
    unused = unused->next;
  else
    memory = std::malloc(sizeof(Thread));
  if (!memory) return nullptr;
  auto* thread = new (memory) Thread;
  // Messages count threads from 1, and main is 0.
  for (const Thread* t = threads; t; t = t->next)
    if (t->number >= thread->number) thread->number = t->number + 1;
  thread->next = threads;
  threads = thread;
  return thread;
}

void adopt(Thread* thread) {
  if (is_controlled()) thread->runtime_thread = snag_runtime_thread();
  thread->tid.store(static_cast<pid_t>(raw_syscall(SYS_gettid)), std::memory_order_release);
  current_thread = thread;
}

Thread* find_thread(pthread_t handle) {
  for (Thread* t = threads; t; t = t->next) {
    if (t->has_handle && !t->joined && pthread_equal(t->handle, handle)) return t;
  }
  return nullptr;
}

void before_fork() { registry_lock.lock(); }
void after_fork_in_parent() { registry_lock.unlock(); }
void after_fork_in_child() {
  for (Thread* t = threads; t; t = t->next) {
    t->in_snag = false;
    t->waits_in = WaitKind::kNone;
    t->waking = nullptr;
    if (t != current_thread) t->ended = t->detached = true;
  }
  if (current_thread) current_thread->tid = static_cast<pid_t>(raw_syscall(SYS_gettid));
  waiting_count = 0;
  registry_lock.unlock();
}

void forget_ended_threads() {
  for (Thread** link = &threads; *link;) {
    Thread* thread = *link;
    if (thread->ended && (thread->joined || thread->detached)) {
      *link = thread->next;
      thread->next = unused;
      unused = thread;
    } else {
      link = &thread->next;
    }
  }
}

}  // namespace snag::schedule
