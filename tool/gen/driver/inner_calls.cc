#include "tool/gen/driver/inner_calls.h"

#include <string>
#include <unordered_map>

#include "tool/gen/driver/own_symbols.h"

namespace snag_gen {

using namespace snag::gen;

namespace {

// Deeper calls, of recursive functions, are not counted.
constexpr std::uint32_t kMaxDepth = 16;

// The methods that a thread is in: the call of the test, then the ones that it calls. Read by other
// threads.
struct Stack {
  std::atomic<std::uint32_t> depth;
  std::atomic<std::uint16_t> methods[kMaxDepth];
  // Only used by the owner.
  const void* frames[kMaxDepth];
  bool is_entered;  // the method that the test calls
};

// Methods by the addresses of their functions: a power of two of slots, at most half of them used.
struct Functions {
  struct Slot {
    std::uintptr_t address;
    std::uint16_t method;
  };
  Slot* slots = nullptr;
  std::size_t mask = 0;

  static std::size_t hash(std::uintptr_t address) { return (address >> 4) * 0x9e3779b1u >> 7; }

  void fill(const std::unordered_map<std::string, std::uintptr_t>& addresses,
            const std::unordered_map<std::string, std::uint16_t>& methods) {
    std::size_t size = 64;
    while (size < 2 * addresses.size()) size *= 2;
    Slot* made = new Slot[size]();
    mask = size - 1;
    for (const auto& [name, address] : addresses) {
      if (address == 0) continue;
      std::size_t at = hash(address) & mask;
      while (made[at].address != 0 && made[at].address != address) at = (at + 1) & mask;
      made[at] = {address, methods.at(name)};
    }
    slots = made;
  }

  // -1: no method.
  int find(const void* function) const {
    const auto address = reinterpret_cast<std::uintptr_t>(function);
    for (std::size_t at = hash(address) & mask;; at = (at + 1) & mask) {
      if (slots[at].address == address) return slots[at].method;
      if (slots[at].address == 0) return -1;
    }
  }
};

WorkerShared* watched = nullptr;
Functions functions;
Stack stacks[kMaxTestThreads];
thread_local int here = -1;  // thread of the test

void note_pair(std::uint16_t a, std::uint16_t b) {
  const std::uint32_t pair = inner_pair(a, b);
  Result& result = watched->result[watched->current.load(std::memory_order_relaxed)];
  for (std::atomic<std::uint32_t>& slot : result.inner_pairs) {
    std::uint32_t there = slot.load(std::memory_order_relaxed);
    if (there == 0 && slot.compare_exchange_strong(there, pair)) return;
    if (there == pair) return;
  }
}

void enter(std::uint16_t method, const void* frame, bool is_outer) {
  Stack& own = stacks[here];
  std::uint32_t depth = own.depth.load(std::memory_order_relaxed);
  // clang does not report functions that an exception leaves: their frames are gone.
  while (depth > 1 && depth <= kMaxDepth && own.frames[depth - 1] < frame) --depth;
  if (depth < kMaxDepth) {
    own.methods[depth].store(method, std::memory_order_relaxed);
    own.frames[depth] = frame;
  }
  // Published before looking at the others: of two threads that enter at the same time, at least
  // one sees the other.
  own.depth.store(depth + 1, std::memory_order_seq_cst);
  for (int thread = 0; thread < static_cast<int>(kMaxTestThreads); ++thread) {
    if (thread == here) continue;
    const std::uint32_t others = stacks[thread].depth.load(std::memory_order_seq_cst);
    for (std::uint32_t i = is_outer ? 1 : 0; i < others && i < kMaxDepth; ++i)
      note_pair(method, stacks[thread].methods[i].load(std::memory_order_relaxed));
  }
}

// The method of this function, if it is one and the thread is in a call of the test.
int method_in_call(const void* function) {
  if (here < 0 || stacks[here].depth.load(std::memory_order_relaxed) == 0) return -1;
  return functions.find(function);
}

}  // namespace

void watch_inner_calls(const Driver& driver, WorkerShared& shared) {
  std::unordered_map<std::string, std::uintptr_t> addresses;
  std::unordered_map<std::string, std::uint16_t> methods;
  for (std::size_t i = 0; i < driver.method_count; ++i) {
    if (!driver.methods[i].symbol) continue;
    addresses.emplace(driver.methods[i].symbol, 0);
    methods.emplace(driver.methods[i].symbol, static_cast<std::uint16_t>(i));
  }
  if (addresses.empty()) return;
  find_own_functions(addresses);
  functions.fill(addresses, methods);
  watched = &shared;
}

ThreadOfTest::ThreadOfTest(unsigned thread) {
  if (!watched) return;
  here = static_cast<int>(thread);
  stacks[here].depth.store(0, std::memory_order_relaxed);
}

ThreadOfTest::~ThreadOfTest() {
  if (here >= 0) stacks[here].depth.store(0, std::memory_order_relaxed);
  here = -1;
}

void begin_outer_call(std::uint16_t method) {
  if (here < 0) return;
  stacks[here].is_entered = false;
  enter(method, nullptr, true);
}

void end_outer_call() {
  if (here >= 0) stacks[here].depth.store(0, std::memory_order_release);
}

}  // namespace snag_gen

// The functions that the compiler calls. Weak: a program with its own keeps them.
extern "C" __attribute__((weak)) void __cyg_profile_func_enter(void* function, void*) {
  using namespace snag_gen;
  const int method = method_in_call(function);
  if (method < 0) return;
  Stack& own = stacks[here];
  // The first time it is the call of the test, which is on the stack already.
  if (!own.is_entered && own.depth.load(std::memory_order_relaxed) == 1 &&
      own.methods[0].load(std::memory_order_relaxed) == method) {
    own.is_entered = true;
    return;
  }
  enter(static_cast<std::uint16_t>(method), __builtin_frame_address(0), false);
}

extern "C" __attribute__((weak)) void __cyg_profile_func_exit(void* function, void*) {
  using namespace snag_gen;
  const int method = method_in_call(function);
  if (method < 0) return;
  Stack& own = stacks[here];
  const std::uint32_t depth = own.depth.load(std::memory_order_relaxed);
  if (depth < 2) return;
  if (depth > kMaxDepth || own.methods[depth - 1].load(std::memory_order_relaxed) == method)
    own.depth.store(depth - 1, std::memory_order_relaxed);
}
