// The place where a thread of the program executes: a stack with its thread-local storage.
//
// A context is made by a real pthread_create, so that libc has set up everything a thread needs.
// Its kernel thread then ends at once (user backend) or sleeps on a futex (futex backend), and the
// context waits to be given a thread of the program. When that thread is over, the next one may
// have the context: contexts are pooled.
//
//   user   one kernel thread, the carrier, runs all contexts: a switch exchanges the stack,
//          callee-saved registers, floating-point modes and the thread pointer. Contexts have
//          no kernel threads, so a raw fork keeps them all, and the fork server can make them
//          once for all runs.
//   futex  each context has its kernel thread; exactly one is awake.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "arch/arch.h"
#include "protocol/shared_memory.h"

namespace snag::rt {

struct Thread;

struct Context {
  void* stack_pointer;  // of the suspended context; behind it lie the saved registers
  unsigned long thread_pointer;
  Thread* occupant;
  pthread_t handle;
  std::uint64_t stack_begin, stack_size;  // the mapping, thread-local variables included
  Context* next_free;
  Context* next_made;
  std::atomic<std::uint32_t> awake;  // futex backend
  bool used;     // had an occupant before: its thread-local variables must be reset
  bool special;  // made for one thread (its own stack or size): never pooled
  bool retired;
};

// Chooses the backend for this process; `wanted` is granted if the machine can do it.
Backend init_contexts(Backend wanted);

// A context with at least the given attributes (null: default), from the pool or newly made; null
// if the system refuses to give one more.
Context* obtain_context(const pthread_attr_t* attributes);
void release_context(Context* context);
// Whether a raw fork keeps idle contexts, so that they can be made once for all runs.
bool forks_keep_contexts();
// Makes contexts in advance until `count` are free.
void prepare_contexts(std::uint32_t count);
// Contexts made so far that are idle.
std::uint32_t free_contexts();
Context* context_of(pthread_t handle);
// The context whose stack contains the address; null: none.
Context* context_of_stack(std::uint64_t address);

// A range that contains the stacks of all contexts but an adopted one, and other memory: an address
// outside is on none of them.
struct MadeStacks {
  std::uint64_t begin, end;

  void include(std::uint64_t from, std::uint64_t to) {
    if (end == 0 || from < begin) begin = from;
    if (to > end) end = to;
  }
  bool may_hold(std::uint64_t address) const { return address - begin < end - begin; }
};
extern MadeStacks made_stacks;

// The context of the calling thread, for the thread that starts the controlled world.
void adopt_context(Context* context);

// Suspends `from`, resumes `to`, whose thread pointer the caller has at hand; returns when another
// context switches back. Inline: every switch of threads takes this path.
[[gnu::visibility("hidden")]] extern bool switches_stacks;  // user backend
void hand_over(Context* from, Context* to);                 // futex backend
inline void switch_context(Context* from, Context* to, unsigned long thread_pointer) {
  if (__builtin_expect(switches_stacks, 1)) {
    snag_switch_stacks(&from->stack_pointer, &to->stack_pointer, thread_pointer);
  } else {
    hand_over(from, to);
  }
}

// After a raw fork: libc believes itself to be in the parent's main thread; tell it the new id.
void refresh_thread_id();
// The head of the list of robust mutexes that a context holds, which the kernel would look at.
void** robust_list(const Context* context);
// The number that stands for gettid() in this context.
std::uint32_t thread_id(const Context* context);
std::uint32_t exchange_thread_id(const Context* context, std::uint32_t id);

// Runs in every context: the loop that executes one occupant after the other. Defined by the thread
// layer.
void run_occupant(Context* context);

}  // namespace snag::rt
