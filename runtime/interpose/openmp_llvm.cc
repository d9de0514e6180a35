// Implements openmp.h: the tool that libomp reports to.
//
// From its events the race detector learns who comes after whom, and each of them is a step.
//
// For the end of tasks it spins without a call that could be seen. So the thread waits in the
// scheduler first, and meanwhile executes tasks by taskyield.
//
// In doubt, as for libgomp, it adds an edge between threads rather than omit one.

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/arena.h"
#include "runtime/interpose/openmp.h"
#include "runtime/sched/scheduler.h"
#include "runtime/sched/upcalls.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

// ---- The interface, as the standard describes it (OpenMP 5.1, chapter 4). ----

union ToolData {
  std::uint64_t value;
  void* pointer;
};
using AnyFunction = void (*)();
using LookUp = AnyFunction (*)(const char* name);
struct ToolStart {
  int (*initialize)(LookUp, int device, ToolData*);
  void (*finalize)(ToolData*);
  ToolData data;
};
using StartTool = ToolStart* (*)(unsigned version, const char* library);

enum Event {
  kParallelBegin = 3,
  kParallelEnd = 4,
  kTaskCreate = 5,
  kTaskSchedule = 6,
  kImplicitTask = 7,
  kSyncRegionWait = 16,
  kMutexReleased = 17,
  kDependences = 18,
  kWork = 20,
  kSyncRegion = 23,
  kMutexAcquire = 26,
  kMutexAcquired = 27,
  kReduction = 31,
  kDispatch = 32,
};
enum Endpoint { kBegin = 1, kEnd = 2 };
enum SyncKind {
  kTaskWait = 5,
  kTaskGroup = 6,
  kReductionRegion = 7,
  kEndOfRegion = 9
};  // others: barriers
enum MutexKind { kAtomic = 6, kOrdered = 7 };
enum TaskStatus {
  kComplete = 1,
  kYielded = 2,
  kDetached = 4,  // its end is still to come, by an event
  kEarlyFulfilled = 5,
  kLateFulfilled = 6,
  kSwitched = 7,
};
enum DependenceKind { kIn = 1, kSource = 5, kSink = 6 };
constexpr int kInitialTask = 1, kTaskWaitTask = 16;

struct ListedDependence {
  ToolData variable;
  int kind;
};

// ---- What is remembered. ----

struct Region {
  ClockKey fork, join;
  ClockKey barrier[2];      // as in Team
  ClockKey iterations[16];  // of doacross loops: those whose numbers give the same remainder
  Region* next_free;
};

struct Group {
  ClockKey tasks;
  std::uint32_t unfinished;
  Group* outer;  // or the next free one
};

struct KnownDependence {
  const char* address;
  bool writes;
};

struct OmptTask {
  ClockKey start;     // who made it
  ClockKey children;  // what those of its children that are over have done
  bool started, is_explicit, is_worker, waits_only;
  std::uint32_t barriers;  // passed; of an implicit task
  Region* region;
  OmptTask* parent;
  Group* group;  // that it is in, or the innermost one that it has begun
  KnownDependence* dependences;
  std::uint32_t dependence_count, dependence_capacity;
  std::uint32_t unfinished;  // children
  // Its children may outlive it: then it is not reused before they are over.
  std::uint32_t users;
  OmptTask* next_free;
  OmptTask *next_live, *last_live;  // explicit tasks that are not finished
};
constinit OmptTask* live_tasks = nullptr;

template <class T, T* T::*next>
struct FreeList {
  T* take() {
    if (!first) {
      constexpr int kChunk = 64;
      T* chunk = map_private<T>(kChunk);
      for (int i = 0; i < kChunk; ++i) give_back(&chunk[i]);
    }
    T* object = first;
    first = object->*next;
    return object;
  }
  void give_back(T* object) {
    object->*next = first;
    first = object;
  }
  T* first = nullptr;
};
constinit FreeList<Region, &Region::next_free> regions;
constinit FreeList<Group, &Group::outer> groups;
constinit FreeList<OmptTask, &OmptTask::next_free> tasks;

Region* new_region() {
  Region* region = regions.take();
  for (const ClockKey* key :
       {&region->fork, &region->join, &region->barrier[0], &region->barrier[1]})
    clear(key);
  for (const ClockKey& key : region->iterations) clear(&key);
  return region;
}

OmptTask* new_task(Region* region, OmptTask* parent, bool is_explicit) {
  OmptTask* task = tasks.take();
  KnownDependence* const memory = task->dependences;
  const std::uint32_t capacity = task->dependence_capacity;
  *task = {};
  task->dependences = memory;
  task->dependence_capacity = capacity;
  task->region = region;
  task->parent = parent;
  task->is_explicit = is_explicit;
  task->users = 1;
  if (parent) ++parent->users;
  clear(&task->start);
  clear(&task->children);
  return task;
}

void release_task(OmptTask* task) {
  while (task && --task->users == 0) {
    OmptTask* parent = task->parent;
    tasks.give_back(task);
    task = parent;
  }
}

std::uint64_t place_of(const void* caller) {
  return caller ? reinterpret_cast<std::uint64_t>(caller) : SNAG_CALLER;
}

// ---- The end of tasks. libomp says that a task is over, and then notes it for those who wait: it
// has done so when the same thread comes back to us. ----

constinit OmptTask* finishing[kMaxThreads]{};
// Those who wait for tasks wait for this object. (Not a variable: reports would show its name.)
constinit ClockKey* task_events = nullptr;
constinit std::uint64_t task_changes = 0;        // tasks that were made or finished
constinit std::uint64_t started[kMaxThreads]{};  // how many tasks each thread has started

void tasks_change() {
  ++task_changes;
  note_write();
  object_changed(sync_object(task_events));
}

void add_live(OmptTask* task) {
  task->next_live = live_tasks;
  if (live_tasks) live_tasks->last_live = task;
  live_tasks = task;
  if (task->parent) ++task->parent->unfinished;
  if (task->group) ++task->group->unfinished;
}

void forget_finished(OmptTask* task) {
  (task->last_live ? task->last_live->next_live : live_tasks) = task->next_live;
  if (task->next_live) task->next_live->last_live = task->last_live;
  if (task->parent) --task->parent->unfinished;
  if (task->group) --task->group->unfinished;
  release_task(task);
}

void note_finished() {
  OmptTask*& task = finishing[sched.current->tid];
  if (!task) return;
  forget_finished(task);
  task = nullptr;
  tasks_change();
}

struct Awaited {
  std::uint64_t seen;   // of task_changes
  std::uint32_t polls;  // in vain, since the last change
  bool waits, polls_again, gives_up;
};
constinit Awaited awaited[kMaxThreads]{};

bool may_have_changed(const SyncObject*, const Thread* thread) {
  const Awaited& a = awaited[thread->tid];
  return a.seen != task_changes || a.polls_again || a.gives_up;
}

// No thread can go on. A thread that has finished a task may have fallen asleep since, in the wait
// for the next one.
bool note_all_finished() {
  bool any = false;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    if (!finishing[i]) continue;
    forget_finished(finishing[i]);
    finishing[i] = nullptr;
    any = true;
  }
  if (!any) return false;
  ++task_changes;
  ++sched.write_epoch;
  release_spinners();
  return true;
}

bool may_be_stolen() {
  for (const OmptTask* task = live_tasks; task; task = task->next_live) {
    if (!task->started) return true;
  }
  return false;
}

// No thread can go on. libomp's own wait would go on looking for tasks, each time in the queue of
// one other thread that it draws: so a thread that has found none may do so the next time. If time
// or the outside world will not help either (`last`), and there are tasks that nobody executes, the
// wait is left to libomp.
bool poll_for_tasks(bool last) {
  if (!note_all_finished()) {
    if (!may_be_stolen()) return false;
    constexpr std::uint32_t kPollsPerThread = 32;
    const std::uint32_t most = kPollsPerThread * sched.thread_count;
    for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
      Awaited& a = awaited[i];
      a.polls_again = a.waits && a.polls < most;
      a.gives_up = a.waits && last && !a.polls_again;
    }
  }
  if (task_events) object_changed(sync_object(task_events));
  return sched.enabled_count != 0;
}

// Until libomp does not need to wait any more, or looks for tasks better than this.
void wait_for_tasks(bool (*done)(const void*), const void* what, std::uint64_t pc) {
  using ThreadNumber = int (*)(void* where);
  using TaskYield = int (*)(void* where, int thread, int part);
  static auto* const thread_number =
      reinterpret_cast<ThreadNumber>(find_openmp_function("__kmpc_global_thread_num"));
  static auto* const task_yield =
      reinterpret_cast<TaskYield>(find_openmp_function("__kmpc_omp_taskyield"));
  const Tid self = sched.current->tid;
  for (std::uint32_t polls = 0; !done(what);) {
    const std::uint64_t before = started[self], changes = task_changes;
    task_yield(nullptr, thread_number(nullptr), 0);
    note_finished();
    if (started[self] != before || done(what)) continue;
    Awaited& a = awaited[self];
    a = {changes, polls, true, false, false};
    step_when(OpKind::kOpenMp, sync_object(task_events), may_have_changed, pc);
    a.waits = false;
    if (a.gives_up) return;
    polls = task_changes == changes ? polls + 1 : 0;
  }
}

bool children_are_finished(const void* task) {
  return static_cast<const OmptTask*>(task)->unfinished == 0;
}
bool group_is_finished(const void* group) {
  return static_cast<const Group*>(group)->unfinished == 0;
}
// What a task depends on that it does not wait for in a queue.
bool dependences_are_finished(const void* opaque) {
  const auto* task = static_cast<const OmptTask*>(opaque);
  for (const OmptTask* other = live_tasks; other; other = other->next_live) {
    if (other == task || other->parent != task->parent) continue;
    for (std::uint32_t i = 0; i < other->dependence_count; ++i) {
      for (std::uint32_t k = 0; k < task->dependence_count; ++k) {
        if (other->dependences[i].address == task->dependences[k].address) return false;
      }
    }
  }
  return true;
}

OmptTask* task_of(const ToolData* data) {
  return data ? static_cast<OmptTask*>(data->pointer) : nullptr;
}
Region* region_of(const ToolData* data) {
  return data ? static_cast<Region*>(data->pointer) : nullptr;
}

void ompt_step(const void* object, const void* caller) {
  step(OpKind::kOpenMp, object, place_of(caller));
  note_write();
}

// ---- Regions and barriers. ----

void on_parallel_begin(ToolData*, const void*, ToolData* data, unsigned, int, const void* caller) {
  note_finished();
  Region* region = new_region();
  data->pointer = region;
  ompt_step(region, caller);
  race_release(&region->fork);
}
void on_parallel_end(ToolData* data, ToolData*, int, const void*) {
  note_finished();
  Region* region = region_of(data);
  if (!region) return;
  race_acquire(&region->join);
  race_acquire(&ended_by_event);
  data->pointer = nullptr;
  regions.give_back(region);
}

void on_implicit_task(int endpoint, ToolData* parallel, ToolData* data, unsigned, unsigned number,
                      int flags) {
  note_finished();
  if (endpoint == kBegin) {
    Region* region = (flags & kInitialTask) && !region_of(parallel) ? nullptr : region_of(parallel);
    OmptTask* task = new_task(region, nullptr, false);
    task->is_worker = number != 0;
    data->pointer = task;
    if (!region) return;
    ompt_step(region, nullptr);
    race_acquire(&region->fork);
    return;
  }
  OmptTask* task = task_of(data);
  if (!task) return;
  data->pointer = nullptr;
  release_task(task);
}

void begin_wait(int kind, OmptTask* task, const void* caller) {
  if (kind == kTaskGroup) {
    Group* group = groups.take();
    clear(&group->tasks);
    group->unfinished = 0;
    group->outer = task->group;
    task->group = group;
    return;
  }
  if (kind == kTaskWait) {
    ompt_step(task, caller);
    return wait_for_tasks(children_are_finished, task, place_of(caller));
  }
  step(OpKind::kBarrierWait, task->region, place_of(caller));
  if (task->region) {
    race_release_more(&task->region->barrier[task->barriers % 2]);
    if (kind == kEndOfRegion) race_release_more(&task->region->join);
  }
  note_write();
}

void end_wait(int kind, OmptTask* task, const void* caller) {
  race_acquire(&ended_by_event);
  if (kind == kTaskGroup) {
    Group* group = task->group;
    race_acquire(&group->tasks);
    task->group = group->outer;
    groups.give_back(group);
  } else if (kind == kTaskWait) {
    race_acquire(&task->children);
  } else if (task->region) {
    race_acquire(&task->region->barrier[task->barriers % 2]);
    ++task->barriers;
    ompt_step(task->region, caller);
  }
}

void on_sync_region(int kind, int endpoint, ToolData*, ToolData* data, const void* caller) {
  note_finished();
  OmptTask* task = task_of(data);
  if (!task || kind == kReductionRegion) return;
  if (endpoint == kBegin) return begin_wait(kind, task, caller);
  // The workers leave the last barrier of a region when there is work again, for another one.
  if (kind == kEndOfRegion && task->is_worker) return;
  end_wait(kind, task, caller);
}

// The tasks of a group are over, but not yet the group: their reductions come first.
void on_sync_region_wait(int kind, int endpoint, ToolData*, ToolData* data, const void* caller) {
  note_finished();
  const OmptTask* task = task_of(data);
  if (!task || !task->group || kind != kTaskGroup) return;
  if (endpoint == kEnd) return race_acquire(&task->group->tasks);
  ompt_step(task->group, caller);
  wait_for_tasks(group_is_finished, task->group, place_of(caller));
}

// One thread of a barrier's tree has waited for others, and combines what they have.
void on_reduction(int, int endpoint, ToolData*, ToolData* data, const void*) {
  const OmptTask* task = task_of(data);
  if (!task || !task->region || endpoint != kBegin) return;
  race_acquire(&task->region->barrier[task->barriers % 2]);
}

// ---- Work that is distributed: who comes next gets the next part. ----

void on_work(int, int endpoint, ToolData* parallel, ToolData*, std::uint64_t, const void* caller) {
  note_finished();
  if (endpoint == kBegin) ompt_step(region_of(parallel), caller);
}
void on_dispatch(ToolData* parallel, ToolData*, int, ToolData) {
  note_finished();
  ompt_step(region_of(parallel), nullptr);
}

// ---- Ordered parts of loops, and updates that the processor cannot do. (Critical sections and
// locks have functions of their own in openmp_locks.cc.) ----

void on_mutex_acquire(int kind, unsigned, unsigned, std::uint64_t object, const void* caller) {
  if (kind == kAtomic || kind == kOrdered) ompt_step(reinterpret_cast<void*>(object), caller);
}
void on_mutex_acquired(int kind, std::uint64_t object, const void*) {
  if (kind == kAtomic || kind == kOrdered) race_acquire(reinterpret_cast<void*>(object));
}
void on_mutex_released(int kind, std::uint64_t object, const void*) {
  if (kind == kAtomic || kind == kOrdered) race_release_more(reinterpret_cast<void*>(object));
}

// ---- Tasks. ----

using TaskMemory = int (*)(void** begin, std::size_t* size, int block);
constinit TaskMemory task_memory = nullptr;

// (Beside the variable: its own address may be that of an atomic.)
const char* written(const KnownDependence& d) { return d.address + 5; }
const char* read(const KnownDependence& d) { return d.address + 6; }

void acquire_known(const OmptTask* task) {
  for (std::uint32_t i = 0; i < task->dependence_count; ++i) {
    const KnownDependence& d = task->dependences[i];
    race_acquire(written(d));
    if (d.writes) race_acquire(read(d));
  }
}

void start_task(OmptTask* task) {
  ++started[sched.current->tid];
  task->started = true;
  race_acquire(&task->start);
  race_acquire(&ended_by_event);
  acquire_known(task);
}

// What it has done is known to everybody who waits for it.
void publish_end(const OmptTask* task, const OmptTask* on) {
  for (std::uint32_t i = 0; i < task->dependence_count; ++i) {
    const KnownDependence& d = task->dependences[i];
    race_release_more(d.writes ? written(d) : read(d));
  }
  if (task->parent) race_release_more(&task->parent->children);
  for (Group* group = task->group; group; group = group->outer) race_release_more(&group->tasks);
  if (!task->region) return;
  // The barrier that this thread is in, or comes to next, waits for all tasks.
  while (on && on->is_explicit) on = on->parent;
  if (on && on->region == task->region) race_release_more(&task->region->barrier[on->barriers % 2]);
  race_release_more(&task->region->join);
}

// libomp will use the memory of the current task again.
void forget_memory() {
  void* begin = nullptr;
  std::size_t size = 0;
  if (task_memory) task_memory(&begin, &size, 0);
  if (begin && size != 0 && observes_memory()) observe_allocated(begin, size);
}

void on_task_create(ToolData* creator, const void*, ToolData* data, int flags, int,
                    const void* caller) {
  note_finished();
  OmptTask* parent = task_of(creator);
  if (flags & kInitialTask) {
    data->pointer = new_task(nullptr, nullptr, false);
    return;
  }
  OmptTask* task = new_task(parent ? parent->region : nullptr, parent, true);
  task->group = parent ? parent->group : nullptr;
  task->waits_only = (flags & kTaskWaitTask) != 0;
  data->pointer = task;
  if (!task->waits_only) {
    add_live(task);
    tasks_change();
  }
  race_release(&task->start);
  ompt_step(task->region, caller);
}

void on_task_schedule(ToolData* prior_data, int status, ToolData* next_data) {
  note_finished();
  OmptTask* prior = task_of(prior_data);
  OmptTask* next = task_of(next_data);
  if (prior && prior->is_explicit && status != kYielded && status != kSwitched) {
    const bool by_event = status == kEarlyFulfilled || status == kLateFulfilled;
    if (!prior->started && !by_event) acquire_known(prior);  // it only waits for others
    publish_end(prior, next);
    if (by_event || status == kDetached) race_release_more(&ended_by_event);
    if (status == kComplete) forget_memory();
    if (status != kDetached && status != kEarlyFulfilled) {
      prior_data->pointer = nullptr;
      if (prior->waits_only) {
        release_task(prior);
      } else {
        finishing[sched.current->tid] = prior;
      }
    }
  }
  if (next && next->is_explicit && !next->started) start_task(next);
}

// Iterations of a doacross loop are told as its variables' values.
const ClockKey* key_of_iteration(Region* region, const ListedDependence* list, int count) {
  std::uint64_t sum = 0;
  for (int i = 0; i < count; ++i) sum = sum * 5 + list[i].variable.value;
  constexpr std::size_t kKeys = sizeof region->iterations / sizeof region->iterations[0];
  return &region->iterations[sum % kKeys];
}

void on_dependences(ToolData* data, const ListedDependence* list, int count) {
  note_finished();
  OmptTask* task = task_of(data);
  if (!task || count <= 0) return;
  if (list[0].kind == kSource || list[0].kind == kSink) {
    if (!task->region) return;
    const ClockKey* key = key_of_iteration(task->region, list, count);
    if (list[0].kind == kSink) return race_acquire(key);
    race_release_more(key);
    return ompt_step(task->region, nullptr);
  }
  const auto size = static_cast<std::uint32_t>(count);
  if (size > task->dependence_capacity) {
    task->dependence_capacity = size > 8 ? size : 8;
    task->dependences = map_private<KnownDependence>(task->dependence_capacity);
  }
  task->dependence_count = size;
  for (std::uint32_t i = 0; i < size; ++i)
    task->dependences[i] = {static_cast<const char*>(list[i].variable.pointer),
                            list[i].kind != kIn};
  if (task->waits_only) wait_for_tasks(dependences_are_finished, task, place_of(nullptr));
}

// ---- The tool. ----

int initialize(LookUp look_up, int, ToolData*) {
  restore_environment();
  task_events = map_private<ClockKey>(1);
  upcalls.poll = poll_for_tasks;
  using SetCallback = int (*)(int event, AnyFunction);
  const auto set = reinterpret_cast<SetCallback>(look_up("ompt_set_callback"));
  task_memory = reinterpret_cast<TaskMemory>(look_up("ompt_get_task_memory"));
  const struct {
    Event event;
    AnyFunction function;
  } callbacks[] = {
#define SNAG_CALLBACK(event, function) {event, reinterpret_cast<AnyFunction>(&function)}
      SNAG_CALLBACK(kParallelBegin, on_parallel_begin),
      SNAG_CALLBACK(kParallelEnd, on_parallel_end),
      SNAG_CALLBACK(kImplicitTask, on_implicit_task),
      SNAG_CALLBACK(kSyncRegion, on_sync_region),
      SNAG_CALLBACK(kSyncRegionWait, on_sync_region_wait),
      SNAG_CALLBACK(kReduction, on_reduction),
      SNAG_CALLBACK(kWork, on_work),
      SNAG_CALLBACK(kDispatch, on_dispatch),
      SNAG_CALLBACK(kMutexAcquire, on_mutex_acquire),
      SNAG_CALLBACK(kMutexAcquired, on_mutex_acquired),
      SNAG_CALLBACK(kMutexReleased, on_mutex_released),
      SNAG_CALLBACK(kTaskCreate, on_task_create),
      SNAG_CALLBACK(kTaskSchedule, on_task_schedule),
      SNAG_CALLBACK(kDependences, on_dependences),
#undef SNAG_CALLBACK
  };
  for (const auto& each : callbacks) set(each.event, each.function);
  return 1;
}
void finalize(ToolData*) {}

}  // namespace
}  // namespace snag::rt

namespace snag::rt {

void note_finished_tasks() { note_finished(); }

}  // namespace snag::rt

// Who asks for a tool is libomp, before it reads its settings.
SNAG_INTERPOSE_OPENMP ToolStart* ompt_start_tool(unsigned version, const char* library) {
  if (!controlled) {
    const auto next = reinterpret_cast<StartTool>(dlsym(RTLD_NEXT, "ompt_start_tool"));
    return next ? next(version, library) : nullptr;
  }
  static constinit ToolStart tool{initialize, finalize, {0}};
  watch_for_spinning(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
  let_wait_passively();
  return &tool;
}

// libomp registers itself by a file in shared memory, which would stay behind when a run fails.
SNAG_INTERPOSE_OPENMP int shm_open(const char* name, int flags, mode_t mode) {
  static auto* const native =
      reinterpret_cast<int (*)(const char*, int, mode_t)>(dlsym(RTLD_NEXT, "shm_open"));
  const int file = native(name, flags, mode);
  if (file < 0 || !controlled || !strstr(name, "/__KMP_REGISTERED_LIB_")) return file;
  const int saved = errno;
  shm_unlink(name);
  errno = saved;
  return file;
}
