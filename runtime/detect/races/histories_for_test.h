// For tests of the race detector: what threads do, one event after the other, and the detector
// driven through it. Thread 0 is there from the start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/detect/races/races.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/world_for_test.h"

namespace snag::rt {

// ---- Histories. ----

inline constexpr int kRelaxed = __ATOMIC_RELAXED, kAcquire = __ATOMIC_ACQUIRE,
                     kRelease = __ATOMIC_RELEASE, kAcqRel = __ATOMIC_ACQ_REL,
                     kSeqCst = __ATOMIC_SEQ_CST;

inline constexpr std::uint32_t kX = 0, kFlag = 32, kOther = 36;  // where variables lie

enum class What {
  kCreate,  // of thread `at`; they have to be created in order
  kJoin,    // of thread `at`
  kRead,
  kWrite,
  kLoad,  // atomic, like the next two
  kStore,
  kModify,
  kFence,
  kLock,  // of lock `at`
  kUnlock,
  kReadLock,  // of read-write lock `at`, as the two above
  kReadUnlock,
  kPost,  // of semaphore `at`
  kWait,
  kFree,         // of memory that is not guarded afterwards
  kGuardedFree,  // of memory that the heap checks guard until it is used again
  kReuse,        // a thread gets the memory
};

struct Event {
  Tid thread;
  What what;
  std::uint32_t at = 0;
  std::uint32_t size = 0;
  int order = 0;
};
using History = std::vector<Event>;

inline bool is_atomic(What what) {
  return what == What::kLoad || what == What::kStore || what == What::kModify;
}
inline bool is_free(What what) { return what == What::kFree || what == What::kGuardedFree; }
inline bool is_access(What what) {
  return what == What::kRead || what == What::kWrite || is_atomic(what) || is_free(what);
}
inline bool is_write(What what) {
  return is_access(what) && what != What::kRead && what != What::kLoad;
}

inline Event create(Tid thread, Tid child) { return {thread, What::kCreate, child}; }
inline Event join(Tid thread, Tid child) { return {thread, What::kJoin, child}; }
inline Event read(Tid thread, std::uint32_t at = 0, std::uint32_t size = 4) {
  return {thread, What::kRead, at, size};
}
inline Event write(Tid thread, std::uint32_t at = 0, std::uint32_t size = 4) {
  return {thread, What::kWrite, at, size};
}
inline Event load(Tid thread, std::uint32_t at, int order) {
  return {thread, What::kLoad, at, 4, order};
}
inline Event store(Tid thread, std::uint32_t at, int order) {
  return {thread, What::kStore, at, 4, order};
}
inline Event modify(Tid thread, std::uint32_t at, int order) {
  return {thread, What::kModify, at, 4, order};
}
inline Event fence(Tid thread, int order) { return {thread, What::kFence, 0, 0, order}; }
inline Event on(Tid thread, What what, std::uint32_t object = 0) { return {thread, what, object}; }
inline Event memory(Tid thread, What what, std::uint32_t at, std::uint32_t size) {
  return {thread, what, at, size};
}

inline std::string text_of(const History& history) {
  static constexpr const char* kNames[] = {
      "create", "join",  "read", "write",        "load",      "store",
      "modify", "fence", "lock", "unlock",       "read-lock", "read-unlock",
      "post",   "wait",  "free", "guarded-free", "reuse"};
  std::string text;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const Event& e = history[i];
    text += std::to_string(i) + ": T" + std::to_string(e.thread) + " " +
            kNames[static_cast<int>(e.what)] + " " + std::to_string(e.at) + " size " +
            std::to_string(e.size) + " order " + std::to_string(e.order) + "\n";
  }
  return text;
}

// ---- The detector, driven through a history. ----

// What it found: the access that showed the race, and the code and thread of the earlier one.
struct Found {
  std::size_t second;
  std::uint64_t first_pc;
  AccessReport first_report, second_report;
};

alignas(16) char memory_bytes[64];
char locks[8], semaphores[4];  // (readers leave theirs a byte behind a lock)

class Detector {
 public:
  explicit Detector(bool with_records = false)
      : world_([&](Config& config) {
          config = {};
          config.settings.races = Races::kReport;
          config.record_frames = with_records;
        }) {
    race_observer()->init(&HandMadeWorld::shared());
  }

  // Places in the code never come twice, for a pair of them is told only once. `continues[i]`: the
  // event has the place of the one before.
  static std::uint64_t fresh_code(std::size_t events) {
    static std::uint64_t next = HandMadeWorld::kCode + 16;
    const std::uint64_t result = next;
    next += events;
    return result;
  }

  void begin() {
    world_.begin_run();
    race_observer()->begin_run(&HandMadeWorld::shared(), true);
  }

  std::optional<Found> run(const History& history, const std::vector<std::uint64_t>& pcs) {
    begin();
    for (std::size_t i = 0; i < history.size(); ++i) {
      take(history[i], pcs[i]);
      const Run& run = HandMadeWorld::shared().run;
      if (run.race_seen) {
        return Found{i, run.race.first.stack[0], run.race.first, run.race.second};
      }
    }
    return std::nullopt;
  }

  std::optional<Found> run(const History& history) {
    const std::uint64_t code = fresh_code(history.size());
    std::vector<std::uint64_t> pcs;
    for (std::size_t i = 0; i < history.size(); ++i) pcs.push_back(code + i);
    return run(history, pcs);
  }

  HandMadeWorld& world() { return world_; }

 private:
  void take(const Event& e, std::uint64_t pc) {
    HandMadeWorld::become(e.thread);
    char* const at = memory_bytes + e.at;
    switch (e.what) {
      case What::kCreate:
        return race_observer()->thread_created(world_.add_thread(e.thread));
      case What::kJoin:
        return race_observer()->thread_joined(&sched.threads[e.at]);
      case What::kRead:
        return race_access(at, e.size, false, pc);
      case What::kWrite:
        return race_access(at, e.size, true, pc);
      case What::kLoad:
        return race_atomic_load(at, e.size, e.order, pc);
      case What::kStore:
        return race_atomic_store(at, e.size, e.order, pc);
      case What::kModify:
        return race_atomic_modify(at, e.size, e.order, pc);
      case What::kFence:
        return clock_fence(e.thread, e.order);
      // As runtime/interpose/lock.cc and wait.cc do it.
      case What::kLock:
        race_acquire(&locks[2 * e.at]);
        return race_acquire(readers_of(&locks[2 * e.at]));
      case What::kUnlock:
        return race_release(&locks[2 * e.at]);
      case What::kReadLock:
        return race_acquire(&locks[2 * e.at]);
      case What::kReadUnlock:
        return race_release_more(readers_of(&locks[2 * e.at]));
      case What::kPost:
        return race_release_more(&semaphores[e.at]);
      case What::kWait:
        return race_acquire(&semaphores[e.at]);
      case What::kFree:
      case What::kGuardedFree:
        return race_observer()->freed(at, e.size, pc, false, e.what == What::kGuardedFree);
      case What::kReuse:
        return race_observer()->allocated(at, e.size, false);
    }
  }

  HandMadeWorld world_;
};

}  // namespace snag::rt
