// Implements interpose.h: oneTBB, on which g++ builds std::execution::par: the entry points of
// libtbb that hand tasks over.
//
// Its templates are compiled into the program, and synchronise by atomics that the hooks see. They
// do not see what happens in the library: that a task is executed after it was spawned, perhaps by
// another thread; that a thread that waits continues after the last task; and that the library's
// allocator reuses memory. So a task that is handed over gets our table of virtual functions until
// it is executed.
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"

using namespace snag;
using namespace snag::rt;

namespace snag::rt {
namespace {

// Of tbb::detail::d1::task: two destructors, execute, cancel; those of derived classes follow.
using Run = void* (*)(void* task, void* data);
constexpr int kExecute = 2, kCancel = 3, kFunctions = 12;

struct Table {
  const void* head[2];  // offset to the top, type information
  const void* functions[kFunctions];
  const void* const* original;
  Table* next;
};
constinit Table* tables = nullptr;

using Object = const void* const*;  // the first word: its table

template <int which>
void* run(void* task, void* data) {
  auto* object = static_cast<Object*>(task);
  const auto* table = reinterpret_cast<const Table*>(*object - 2);
  *object = table->original;
  race_acquire(task);
  return reinterpret_cast<Run>(const_cast<void*>(table->original[which]))(task, data);
}

const Table* table_for(Object original) {
  for (Table* table = tables; table; table = table->next) {
    if (table->original == original) return table;
  }
  auto* table = map_private<Table>(1);
  memcpy(table->head, original - 2, sizeof table->head + sizeof table->functions);
  table->functions[kExecute] = reinterpret_cast<const void*>(&run<kExecute>);
  table->functions[kCancel] = reinterpret_cast<const void*>(&run<kCancel>);
  table->original = original;
  table->next = tables;
  tables = table;
  return table;
}

void hand_over_task(void* task) {
  auto* object = static_cast<Object*>(task);
  for (const Table* table = tables; table; table = table->next) {
    if (*object == table->functions) return;
  }
  race_release(task);
  *object = table_for(*object)->functions;
}

// tbb::detail::d1::wait_context: a word, then the count of tasks still to wait for.
void waited_for(void* context) { race_acquire(static_cast<char*>(context) + 8); }

template <class Function>
Function* real_tbb(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace
}  // namespace snag::rt

#define SNAG_TBB_REAL(name) static auto* const native = real_tbb<decltype(::name)>(#name)

#define SNAG_TBB_HAND_OVER(name, parameters, ...) \
  SNAG_INTERPOSE void name parameters {           \
    SNAG_TBB_REAL(name);                          \
    if (!runs_freely()) hand_over_task(task);     \
    native(__VA_ARGS__);                          \
  }
SNAG_TBB_HAND_OVER(_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextE,
                   (void* task, void* context), task, context)
SNAG_TBB_HAND_OVER(_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextEt,
                   (void* task, void* context, unsigned short slot), task, context, slot)
SNAG_TBB_HAND_OVER(_ZN3tbb6detail2r16submitERNS0_2d14taskERNS2_18task_group_contextEPNS1_5arenaEm,
                   (void* task, void* context, void* arena, unsigned long critical), task, context,
                   arena, critical)
SNAG_TBB_HAND_OVER(_ZN3tbb6detail2r17enqueueERNS0_2d14taskEPNS2_15task_arena_baseE,
                   (void* task, void* arena), task, arena)
SNAG_TBB_HAND_OVER(
    _ZN3tbb6detail2r17enqueueERNS0_2d14taskERNS2_18task_group_contextEPNS2_15task_arena_baseE,
    (void* task, void* context, void* arena), task, context, arena)

SNAG_INTERPOSE void
_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_(
    void* task, void* context, void* wait, void* wait_context) {
  SNAG_TBB_REAL(
      _ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_);
  if (runs_freely()) return native(task, context, wait, wait_context);
  hand_over_task(task);
  native(task, context, wait, wait_context);
  waited_for(wait);
}
SNAG_INTERPOSE void _ZN3tbb6detail2r14waitERNS0_2d112wait_contextERNS2_18task_group_contextE(
    void* wait, void* context) {
  SNAG_TBB_REAL(_ZN3tbb6detail2r14waitERNS0_2d112wait_contextERNS2_18task_group_contextE);
  native(wait, context);
  if (!runs_freely()) waited_for(wait);
}

#define SNAG_TBB_ALLOCATE(name, parameters, ...)                      \
  SNAG_INTERPOSE void* name parameters {                              \
    SNAG_TBB_REAL(name);                                              \
    void* memory = native(__VA_ARGS__);                               \
    if (memory && observes_memory()) observe_allocated(memory, size); \
    return memory;                                                    \
  }
SNAG_TBB_ALLOCATE(_ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEm,
                  (void** pool, unsigned long size), pool, size)
SNAG_TBB_ALLOCATE(_ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEmRKNS2_14execution_dataE,
                  (void** pool, unsigned long size, const void* data), pool, size, data)
SNAG_TBB_ALLOCATE(_ZN3tbb6detail2r122cache_aligned_allocateEm, (unsigned long size), size)
SNAG_TBB_ALLOCATE(_ZN3tbb6detail2r115allocate_memoryEm, (unsigned long size), size)
SNAG_TBB_ALLOCATE(_ZN3tbb6detail2r126allocate_bounded_queue_repEm, (unsigned long size), size)

// ---- parallel_pipeline: who ends a stage leaves its item where another thread finds it. ----

namespace {

// Of base_filter: the stage, two destructors, and what deletes an item; of filter_node: what makes
// the stage, two destructors.
constexpr int kStageFunctions = 4, kNodeFunctions = 3;

// Copies of tables of virtual functions, with the first function replaced.
struct FirstReplaced {
  const void* head[2];
  const void* functions[kStageFunctions];
  Object original;
  FirstReplaced* next;
};
constinit FirstReplaced* replaced_tables = nullptr;

Object with_first(Object original, int count, const void* first) {
  for (FirstReplaced* table = replaced_tables; table; table = table->next) {
    if (table->original == original) return table->functions;
    if (table->functions == original) return original;
  }
  auto* table = map_private<FirstReplaced>(1);
  memcpy(table->head, original - 2,
         sizeof table->head + static_cast<std::size_t>(count) * sizeof(void*));
  table->functions[0] = first;
  table->original = original;
  table->next = replaced_tables;
  replaced_tables = table;
  return table->functions;
}

template <class Function>
Function original_of(const void* object) {
  const Object functions = *static_cast<const Object*>(object);
  const auto* table = reinterpret_cast<const FirstReplaced*>(functions - 2);
  return reinterpret_cast<Function>(const_cast<void*>(table->original[0]));
}

// (An item may also be a number.)
const char* clock_of(const void* item) { return static_cast<const char*>(item) + 3; }

void* run_stage(void* stage, void* item) {
  const char* in_turn = static_cast<const char*>(stage) + 1;
  const bool is_serial = (static_cast<const unsigned*>(stage)[6] & 1) != 0;
  if (is_serial) race_acquire(in_turn);
  if (item) race_acquire(clock_of(item));
  void* result = original_of<void* (*)(void*, void*)>(stage)(stage, item);
  if (result) race_release_more(clock_of(result));
  if (is_serial) race_release_more(in_turn);
  return result;
}

void* make_stage(const void* node) {
  void* stage = original_of<void* (*)(const void*)>(node)(node);
  auto* table = static_cast<Object*>(stage);
  if (race_detection) clock_clear(static_cast<const char*>(stage) + 1);
  *table = with_first(*table, kStageFunctions, reinterpret_cast<const void*>(&run_stage));
  return stage;
}

// The table of virtual functions, a count, and two nodes, which leaves do not have.
struct FilterNode {
  Object table;
  std::uint64_t references;
  FilterNode *left, *right;
};

void observe_stages(FilterNode* node) {
  if (node->left && node->right) {
    observe_stages(node->left);
    observe_stages(node->right);
  } else {
    node->table =
        with_first(node->table, kNodeFunctions, reinterpret_cast<const void*>(&make_stage));
  }
}

}  // namespace

SNAG_INTERPOSE void
_ZN3tbb6detail2r117parallel_pipelineERNS0_2d118task_group_contextEmRKNS2_11filter_nodeE(
    void* context, unsigned long tokens, void* filters) {
  SNAG_TBB_REAL(
      _ZN3tbb6detail2r117parallel_pipelineERNS0_2d118task_group_contextEmRKNS2_11filter_nodeE);
  if (!runs_freely()) observe_stages(static_cast<FilterNode*>(filters));
  native(context, tokens, filters);
}
