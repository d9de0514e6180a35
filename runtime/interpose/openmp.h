// OpenMP programs of g++: the entry points of libgomp.
//
// libgomp does its work itself: it makes the threads (through our pthread_create), and waits in the
// kernel (see library_waits.h), so threads are switched nowhere else in it. What remains to be done
// here is to tell the race detector which synchronisation the entry points mean, to give the
// strategy a choice where libgomp distributes work, and to make real locks of the program's locks
// and critical sections, so that the scheduler knows who waits for whom.
//
// In doubt, it adds an edge between threads, which may hide a race, rather than omit one, which
// would report a false race.
#pragma once

#include <cstdint>

#include "runtime/base/real.h"
#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"

// A program with libgomp.a in it has these itself.
#define SNAG_INTERPOSE_OPENMP SNAG_INTERPOSE __attribute__((weak))

namespace snag::rt {

// An object whose address stands for a clock.
struct ClockKey {
  char at;
};
inline void clear(const ClockKey* key) {
  if (race_detection) clock_clear(key);
}

struct OrderedLoop;  // one with ordered(n), in openmp_doacross.cc
void end_ordered_loops(OrderedLoop* loops);

// The threads of one parallel region. On the stack of the thread that met the region.
struct Team {
  void* first_word;  // of `data`: libgomp looks at it
  void (*function)(void*);
  void* data;
  ClockKey fork, join, ordered;
  // One barrier follows another, and who comes for the next must not be taken for this one's: two
  // in turns. (They need not be cleared: what is left of the one before last is known to all.)
  ClockKey barrier[2];
  OrderedLoop* ordered_loops;  // the last one that was begun first
};

// A task, explicit or implicit, while it runs. On the stack; others know only the address.
struct Task {
  ClockKey children;  // what those of its children that are over have done
};

struct TaskGroup {
  ClockKey tasks;
  TaskGroup* outer;
};

// What a thread is at.
struct Worker {
  Team* team;
  Task* task;
  TaskGroup* group;
  std::uint32_t barriers;  // passed in this region
  std::uint64_t place;     // where the program called libgomp; 0 if it is not in there
  OrderedLoop* loop;       // the last one with ordered(n) that it has begun in this region
};
Worker& worker();
// Of the current thread: 0 if it is not in libgomp, or waits there for work.
std::uint64_t openmp_place();

// While one of libgomp's functions runs.
class InOpenMp {
 public:
  explicit InOpenMp(std::uint64_t place) : before_(worker().place) { worker().place = place; }
  ~InOpenMp() { worker().place = before_; }
  InOpenMp(const InOpenMp&) = delete;
  InOpenMp& operator=(const InOpenMp&) = delete;

 private:
  std::uint64_t before_;
};

// Tasks that are ended by an event, by anybody: the thread that did it has left here what it did,
// and who has waited for tasks takes it.
extern ClockKey ended_by_event;

// Here libgomp distributes work among the threads in the order in which they come.
void openmp_step(std::uint64_t pc);

// The current thread arrives at a barrier of its team, and has passed it.
void arrive_at_barrier(std::uint64_t pc);
void passed_barrier();

// The current thread has left libomp, or yields in there: tasks that it has executed are over.
void note_finished_tasks();

TaskGroup* begin_task_group();
void end_task_group(TaskGroup* group);
// The current thread has waited for what the list of a depend clause says.
void acquire_dependences(void** depend);

// ---- OpenMP programs of clang, whose library is libomp. It tells tools what it does, by the
// interface OMPT of the OpenMP standard: the runtime is such a tool (openmp_llvm.cc). libomp itself
// waits by condition variables and yields, which the scheduler has in its hands, if it is told to
// wait passively (openmp_llvm_wait.cc). ----

// libomp looks at the environment after it has asked for a tool, and before it initialises it. Only
// meanwhile the environment says that it is to wait passively.
void let_wait_passively();
void restore_environment();

// At the end of a team libomp spins until its threads are out of the way, without a call that could
// be seen. A timer of the process's own time notices that, and the thread yields: whenever it does,
// it is in the same loop, so replays are the same. `in_library`: somewhere in libomp's code.
void watch_for_spinning(std::uint64_t in_library);

// libgomp's function of this name, or that of another library which has it.
void* find_openmp_function(const char* name);
template <class Function>
Function* openmp_function(const char* name) {
  return reinterpret_cast<Function*>(find_openmp_function(name));
}
#define SNAG_OPENMP_REAL(name) \
  static auto* const native = ::snag::rt::openmp_function<decltype(::name)>(#name)

}  // namespace snag::rt
