// Traces written by hand, for unit tests.
#pragma once

#include <cstdint>
#include <vector>

#include "protocol/full_trace.h"

namespace snag::history {

struct TraceForTest {
  std::vector<TraceEvent> events;

  TraceForTest& add(Tid thread, TraceKind kind, ModulePc pc, std::uint64_t address = 0,
                    std::uint64_t size = 0, std::uint8_t detail = 0) {
    events.push_back({pc, address, size, thread, kind, detail, 0});
    return *this;
  }
  TraceForTest& read(Tid thread, ModulePc pc, std::uint64_t address, std::uint64_t size = 1) {
    return add(thread, TraceKind::kRead, pc, address, size);
  }
  TraceForTest& write(Tid thread, ModulePc pc, std::uint64_t address, std::uint64_t size = 1) {
    return add(thread, TraceKind::kWrite, pc, address, size);
  }
  TraceForTest& enter(Tid thread, ModulePc function, ModulePc caller = 0) {
    return add(thread, TraceKind::kEnter, function, caller);
  }
  TraceForTest& leave(Tid thread) { return add(thread, TraceKind::kLeave, 0); }
  TraceForTest& want(Tid thread, ModulePc pc, std::uint64_t lock,
                     TraceLock how = TraceLock::kMutex) {
    return add(thread, TraceKind::kWant, pc, lock, 0, static_cast<std::uint8_t>(how));
  }
  TraceForTest& acquire(Tid thread, ModulePc pc, std::uint64_t lock,
                        TraceLock how = TraceLock::kMutex) {
    return add(thread, TraceKind::kAcquire, pc, lock, 0, static_cast<std::uint8_t>(how));
  }
  TraceForTest& lock(Tid thread, ModulePc pc, std::uint64_t lock) {
    return want(thread, pc, lock).acquire(thread, pc, lock);
  }
  TraceForTest& unlock(Tid thread, std::uint64_t lock) {
    return add(thread, TraceKind::kRelease, 0, lock);
  }
  TraceForTest& create(Tid thread, Tid child) {
    return add(thread, TraceKind::kThreadCreate, 0, child);
  }
  TraceForTest& end(Tid thread) { return add(thread, TraceKind::kThreadEnd, 0); }
  TraceForTest& join(Tid thread, Tid child) {
    return add(thread, TraceKind::kThreadJoin, 0, child);
  }
};

}  // namespace snag::history
