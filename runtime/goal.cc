#include "runtime/goal.h"

#include <stdio.h>

#include "runtime/memory_events.h"
#include "runtime/modules.h"
#include "runtime/scheduler.h"

namespace snag::rt {

constinit bool goal_on = false;

namespace {

constinit WantedPair wanted{};
constinit OpenAccesses open{};

bool is_at(int side, std::uint64_t pc) {
  for (std::uint32_t i = 0; i < wanted.count[side]; ++i) {
    if (wanted.pcs[side][i] == pc) return true;
  }
  return false;
}

// The bytes of [address, address + size) as bits from `base` on, as far as they go.
std::uint64_t bytes_from(std::uint64_t base, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  if (end <= base || address >= base + 64) return 0;
  const std::uint64_t from = address > base ? address - base : 0;
  const std::uint64_t to = end - base < 64 ? end - base : 64;
  return (to == 64 ? ~0ull : (1ull << to) - 1) & ~((1ull << from) - 1);
}

}  // namespace

void OpenAccesses::add(std::uint64_t address, std::uint64_t size, Tid thread) {
  if (count_ == kCapacity) {
    for (std::uint32_t i = 1; i < count_; ++i) open_[i - 1] = open_[i];
    --count_;
  }
  open_[count_++] = {address, bytes_from(address, address, size < kBytes ? size : kBytes), thread};
}

Tid OpenAccesses::take(std::uint64_t address, std::uint64_t size, Tid thread) {
  Tid before = kNoTid;
  for (std::uint32_t i = 0; i < count_;) {
    Open& entry = open_[i];
    const std::uint64_t touched = entry.bytes & bytes_from(entry.address, address, size);
    if (touched != 0 && entry.thread != thread) before = entry.thread;
    entry.bytes &= ~touched;
    if (entry.bytes != 0)
      ++i;
    else
      entry = open_[--count_];
  }
  return before;
}

void init_goal(const Shared* shared) {
  wanted = {};
  for (const int side : {0, 1}) {
    for (std::uint32_t i = 0; i < shared->config.wanted.count[side] && i < kMaxWantedPcs; ++i) {
      const std::uint64_t pc = absolute_pc(shared, shared->config.wanted.pcs[side][i]);
      if (pc != 0) wanted.pcs[side][wanted.count[side]++] = pc;
    }
  }
  goal_on = wanted.count[0] != 0 && wanted.count[1] != 0;
  if (goal_on) memory_events = true;
}

const WantedPair& wanted_pair() { return wanted; }

void begin_goal() { open.clear(); }

void goal_access(const volatile void* address, std::uint64_t size, std::uint64_t pc) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  const Tid self = g.current->tid;
  const Tid before = open.take(a, size, self);
  Run& run = g.shared->run;
  if (before != kNoTid && run.goal_seen == 0 && is_at(1, pc)) {
    run.goal_seen = 1;
    run.goal_thread = self;
    snprintf(run.goal_message, sizeof run.goal_message,
             "T%u came directly after T%u: the pair is covered", self, before);
  }
  if (is_at(0, pc)) open.add(a, size, self);
}

void goal_forget(const void* address, std::uint64_t size) {
  open.take(reinterpret_cast<std::uint64_t>(address), size, kNoTid);
}

}  // namespace snag::rt
