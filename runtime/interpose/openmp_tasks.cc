// Implements openmp.h: tasks.
//
// A task's data is copied by libgomp into memory of its own. What is to be remembered about the
// task lies there, too: in front of the program's data, with this copy function in place of the
// program's.
#include <alloca.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/interpose/openmp.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

using TaskFunction = void (*)(void*);
using CopyFunction = void (*)(void* to, void* from);

// GOMP_TASK_FLAG_...
constexpr unsigned kDepend = 1 << 3;
constexpr unsigned kNoGroup = 1 << 11;
constexpr unsigned kReduction = 1 << 12;
constexpr unsigned kDetach = 1 << 13;

// ---- Dependences: the list that the compiler makes of the depend clauses. ----

struct Dependence {
  const char* address;
  bool writes;  // whatever is not `in`
};

// What the tasks have left that have a variable in their depend clauses: the writing ones, and the
// others. (Beside the variable: its own address may be that of an atomic.)
const char* written(const Dependence& d) { return d.address + 5; }
const char* read(const Dependence& d) { return d.address + 6; }

template <class F>
void for_each_dependence(void** list, F function) {
  const auto number = [&](int i) { return reinterpret_cast<std::uintptr_t>(list[i]); };
  const bool is_short = number(0) != 0;  // count, of these out; else 0, count, out, mutex, in
  const std::uintptr_t count = number(is_short ? 0 : 1);
  const std::uintptr_t writers = is_short ? number(1) : number(2) + number(3);
  const std::uintptr_t readers = is_short ? count - writers : number(4);
  void** item = list + (is_short ? 2 : 5);
  for (std::uintptr_t i = 0; i < count; ++i) {
    if (i < writers + readers) {
      function(Dependence{static_cast<const char*>(item[i]), i < writers});
      continue;
    }
    constexpr std::uintptr_t kIn = 1;  // the rest are depend objects: address, kind
    void** object = static_cast<void**>(item[i]);
    function(Dependence{static_cast<const char*>(object[0]),
                        reinterpret_cast<std::uintptr_t>(object[1]) != kIn});
  }
}

std::uintptr_t count_dependences(void** list) {
  return list[0] ? reinterpret_cast<std::uintptr_t>(list[0])
                 : reinterpret_cast<std::uintptr_t>(list[1]);
}

void acquire_dependence(const Dependence& d) {
  race_acquire(written(d));
  if (d.writes) race_acquire(read(d));
}

// ---- What is remembered. ----

struct Header {
  void* words[3];  // libgomp looks at these as if they were the data's: an event, or a loop's range
  TaskFunction function;
  Team* team;
  const ClockKey* parent;  // Task::children of who made it
  TaskGroup* group;
  std::uint32_t offset;  // of the data, from here
  std::uint32_t dependence_count;
  bool is_loop, detached;

  Dependence* dependences() { return reinterpret_cast<Dependence*>(this + 1); }
  void* data() { return reinterpret_cast<char*>(this) + offset; }
};

// What libgomp takes for the data when a task is made.
struct Source {
  Header header;
  void** depend;
  void* data;
  CopyFunction copy;
  std::size_t size;
};

void copy_task(void* to, void* from) {
  const auto* source = static_cast<const Source*>(from);
  auto* header = static_cast<Header*>(to);
  *header = source->header;
  if (source->depend) {
    Dependence* next = header->dependences();
    for_each_dependence(source->depend, [&](const Dependence& d) { *next++ = d; });
  }
  if (header->detached) *static_cast<void**>(source->data) = header->words[0];
  if (source->copy) {
    source->copy(header->data(), source->data);
  } else {
    memcpy(header->data(), source->data, source->size);
  }
  race_release(header);
}

void __snag_openmp_task(void* opaque) {
  auto* header = static_cast<Header*>(opaque);
  if (header->is_loop) memcpy(header->data(), header->words, 2 * sizeof(void*));
  const Worker outer = worker();
  Task task{};
  clear(&task.children);
  worker().team = header->team;  // libgomp's threads do tasks also after their part of the region
  worker().task = &task;
  worker().group = header->group;
  worker().place = 0;
  race_acquire(header);
  race_acquire(&ended_by_event);
  for (std::uint32_t i = 0; i < header->dependence_count; ++i)
    acquire_dependence(header->dependences()[i]);
  header->function(header->data());
  for (std::uint32_t i = 0; i < header->dependence_count; ++i) {
    const Dependence& d = header->dependences()[i];
    race_release_more(d.writes ? written(d) : read(d));
  }
  race_release_more(header->parent);
  if (header->detached) race_release_more(&ended_by_event);
  for (TaskGroup* group = header->group; group; group = group->outer)
    race_release_more(&group->tasks);
  if (header->team) {
    // The barrier that this thread is in, or comes to next, waits for all tasks.
    if (outer.team == header->team) race_release_more(&outer.team->barrier[outer.barriers % 2]);
    race_release_more(&header->team->join);
  }
  worker() = outer;
}

constexpr std::uint32_t round_up(std::size_t size, std::size_t to) {
  return static_cast<std::uint32_t>((size + to - 1) / to * to);
}

const ClockKey* children_of(const Worker& w) {
  static constinit ClockKey outside{};  // outside of all regions tasks are done at once
  return w.task ? &w.task->children : &outside;
}

struct NewTask {
  Source source;
  std::size_t size, align;

  NewTask(TaskFunction function, void* data, CopyFunction copy, long data_size, long data_align,
          unsigned flags, void** depend) {
    const Worker& w = worker();
    const bool depends = (flags & kDepend) != 0 && depend;
    const std::uintptr_t count = depends ? count_dependences(depend) : 0;
    align = static_cast<std::size_t>(data_align) > alignof(Header)
                ? static_cast<std::size_t>(data_align)
                : alignof(Header);
    const std::uint32_t offset = round_up(sizeof(Header) + count * sizeof(Dependence), align);
    source = {{{},
               function,
               w.team,
               children_of(w),
               w.group,
               offset,
               static_cast<std::uint32_t>(count),
               false,
               (flags & kDetach) != 0},
              depends ? depend : nullptr,
              data,
              copy,
              static_cast<std::size_t>(data_size)};
    size = offset + static_cast<std::size_t>(data_size);
  }
};

constinit TaskGroup* free_groups = nullptr;

}  // namespace

constinit ClockKey ended_by_event{};

TaskGroup* begin_task_group() {
  if (!free_groups) {
    constexpr int kChunk = 128;
    auto* chunk = map_private<TaskGroup>(kChunk);
    for (int i = 0; i < kChunk; ++i) {
      chunk[i].outer = free_groups;
      free_groups = &chunk[i];
    }
  }
  TaskGroup* group = free_groups;
  free_groups = group->outer;
  clear(&group->tasks);
  group->outer = worker().group;
  worker().group = group;
  return group;
}

void end_task_group(TaskGroup* group) {
  race_acquire(&group->tasks);
  race_acquire(&ended_by_event);
  worker().group = group->outer;
  group->outer = free_groups;
  free_groups = group;
}

void acquire_dependences(void** depend) {
  if (!depend) return;
  for_each_dependence(depend, [](Dependence d) {
    d.writes = true;
    acquire_dependence(d);
  });
  race_acquire(&ended_by_event);
}

}  // namespace snag::rt

SNAG_INTERPOSE_OPENMP void GOMP_task(TaskFunction function, void* data, CopyFunction copy,
                                     long size, long align, bool deferrable, unsigned flags,
                                     void** depend, int priority, void* event) {
  SNAG_OPENMP_REAL(GOMP_task);
  if (runs_freely())
    return native(function, data, copy, size, align, deferrable, flags, depend, priority, event);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  openmp_step(pc);
  NewTask task(function, data, copy, size, align, flags, depend);
  native(__snag_openmp_task, &task.source, copy_task, static_cast<long>(task.size),
         static_cast<long>(task.align), deferrable, flags, depend, priority, event);
}

namespace {

template <class Native, class Number>
void make_loop(Native* native, TaskFunction function, void* data, CopyFunction copy, long size,
               long align, unsigned flags, unsigned long count, int priority, Number first,
               Number last, Number by, std::uint64_t pc) {
  const InOpenMp in(pc);
  openmp_step(pc);
  TaskGroup* group = flags & kNoGroup ? nullptr : begin_task_group();
  NewTask task(function, data, copy, size, align, flags, nullptr);
  task.source.header.is_loop = true;
  if (flags & kReduction) task.source.header.words[2] = static_cast<void**>(data)[2];
  native(__snag_openmp_task, &task.source, copy_task, static_cast<long>(task.size),
         static_cast<long>(task.align), flags, count, priority, first, last, by);
  if (group) end_task_group(group);
}

}  // namespace

SNAG_INTERPOSE_OPENMP void GOMP_taskloop(TaskFunction function, void* data, CopyFunction copy,
                                         long size, long align, unsigned flags, unsigned long count,
                                         int priority, long first, long last, long by) {
  SNAG_OPENMP_REAL(GOMP_taskloop);
  if (runs_freely())
    return native(function, data, copy, size, align, flags, count, priority, first, last, by);
  make_loop(native, function, data, copy, size, align, flags, count, priority, first, last, by,
            SNAG_CALLER);
}
SNAG_INTERPOSE_OPENMP void GOMP_taskloop_ull(TaskFunction function, void* data, CopyFunction copy,
                                             long size, long align, unsigned flags,
                                             unsigned long count, int priority,
                                             unsigned long long first, unsigned long long last,
                                             unsigned long long by) {
  SNAG_OPENMP_REAL(GOMP_taskloop_ull);
  if (runs_freely())
    return native(function, data, copy, size, align, flags, count, priority, first, last, by);
  make_loop(native, function, data, copy, size, align, flags, count, priority, first, last, by,
            SNAG_CALLER);
}

SNAG_INTERPOSE_OPENMP void GOMP_taskwait() {
  SNAG_OPENMP_REAL(GOMP_taskwait);
  if (runs_freely()) return native();
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  openmp_step(pc);
  native();
  race_acquire(children_of(worker()));
  race_acquire(&ended_by_event);
}
SNAG_INTERPOSE_OPENMP void GOMP_taskwait_depend(void** depend) {
  SNAG_OPENMP_REAL(GOMP_taskwait_depend);
  if (runs_freely()) return native(depend);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  openmp_step(pc);
  native(depend);
  acquire_dependences(depend);
}
SNAG_INTERPOSE_OPENMP void GOMP_taskyield() {
  SNAG_OPENMP_REAL(GOMP_taskyield);
  if (runs_freely()) return native();
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  yield_step(pc);
  native();
}

SNAG_INTERPOSE_OPENMP void GOMP_taskgroup_start() {
  SNAG_OPENMP_REAL(GOMP_taskgroup_start);
  if (!runs_freely()) begin_task_group();
  native();
}
SNAG_INTERPOSE_OPENMP void GOMP_taskgroup_end() {
  SNAG_OPENMP_REAL(GOMP_taskgroup_end);
  if (runs_freely()) return native();
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  openmp_step(pc);
  native();
  if (worker().group) end_task_group(worker().group);
}

// Whoever calls this ends a detached task, whichever that is.
SNAG_INTERPOSE_OPENMP void omp_fulfill_event(std::uintptr_t event) {
  SNAG_OPENMP_REAL(omp_fulfill_event);
  if (runs_freely()) return native(event);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  openmp_step(pc);
  race_acquire(&ended_by_event);  // libgomp may free the task here
  race_release_more(&ended_by_event);
  native(event);
  note_finished_tasks();
}
