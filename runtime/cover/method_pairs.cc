#include "runtime/cover/method_pairs.h"

#include "runtime/base/arena.h"

namespace snag::rt {

constinit bool cover_stacks_on = false;

namespace {

constinit bool pairs_on = false, counts_on = false;
constinit CoverStack* stacks[kMaxCoverThreads]{};
constinit std::uint32_t stack_limit = 0;  // no stack has a higher number
// Functions begun so far: while this does not change, nothing new is active.
constinit std::uint64_t beginnings = 1;

// Pairs that are in the store already. (As first << 32 | second.)
constexpr std::uint32_t kKnownPairs = 1 << 12;
constinit std::uint64_t known_pairs[kKnownPairs]{};

template <class T>
T load(const T* value) {
  return __atomic_load_n(value, __ATOMIC_RELAXED);
}
template <class T>
void store(T* value, T to) {
  __atomic_store_n(value, to, __ATOMIC_RELAXED);
}

template <class F>
void for_other_methods(const CoverStack* own, F f) {
  const std::uint32_t limit = load(&stack_limit);
  for (std::uint32_t i = 0; i < limit; ++i) {
    const CoverStack* stack = load(&stacks[i]);
    if (!stack || stack == own || !load(&stack->is_live)) continue;
    std::uint32_t depth = load(&stack->depth);
    if (depth > kCoverFrames) depth = kCoverFrames;
    for (std::uint32_t k = 0; k < depth; ++k) {
      if (const std::uint32_t method = load(&stack->methods[k])) f(method);
    }
  }
}

void add_pair(std::uint32_t active, std::uint32_t acting) {
  const std::uint64_t key = std::uint64_t{active} << 32 | acting;
  std::uint64_t* known = &known_pairs[mix_hash(key) % kKnownPairs];
  if (load(known) == key) return;
  cover_tables.pair(Metric::kMethodPairs, active, acting, kIsCovered, 0);
  store(known, key);
}

}  // namespace

void init_cover_methods() {
  pairs_on = cover_tables.measures(Metric::kMethodPairs);
  counts_on = cover_tables.measures(Metric::kConcurrentMethods);
  cover_stacks_on = pairs_on || counts_on || cover_tables.measures(Metric::kSync) ||
                    cover_tables.store()->config.context != 0;
}

CoverStack* cover_stack(std::uint32_t thread) {
  CoverStack* stack = load(&stacks[thread]);
  if (stack) return stack;
  stack = map_private<CoverStack>(1);
  stack->is_live = 1;
  store(&stacks[thread], stack);
  std::uint32_t limit = load(&stack_limit);
  while (limit <= thread && !__atomic_compare_exchange_n(&stack_limit, &limit, thread + 1, false,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return stack;
}

void cover_begin_method(CoverStack* stack, std::uint64_t pc, std::uint64_t caller) {
  const std::uint32_t depth = stack->depth;
  if (depth < kCoverFrames) {
    stack->calls[depth] = caller;
    const CoverCallers callers{stack->calls, depth + 1};
    const std::uint32_t method = cover_method(pc, callers);
    store(&stack->methods[depth], method);
    stack->looked_at[depth] = 0;
    if (counts_on && method != 0) {
      for_other_methods(stack, [&](std::uint32_t other) {
        cover_tables.count(Metric::kConcurrentMethods, method < other ? method : other,
                           method < other ? other : method);
      });
    }
  }
  store(&stack->depth, depth + 1);
  if (!pairs_on) return;
  __atomic_fetch_add(&beginnings, 1, __ATOMIC_RELAXED);
  cover_act(stack);
}

void cover_act(CoverStack* stack) {
  if (!pairs_on || stack->depth == 0 || stack->depth > kCoverFrames) return;
  const std::uint32_t top = stack->depth - 1;
  const std::uint64_t now = load(&beginnings);
  if (stack->looked_at[top] == now) return;
  stack->looked_at[top] = now;
  const std::uint32_t acting = stack->methods[top];
  if (acting == 0) return;
  for_other_methods(stack, [&](std::uint32_t active) { add_pair(active, acting); });
}

void cover_keep_stack(const CoverStack* own) {
  for (CoverStack* stack : stacks) {
    if (stack && stack != own) stack->is_live = 0;
  }
}

}  // namespace snag::rt
