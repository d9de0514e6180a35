// What a run records for the systematic search: which threads were enabled at each decision, and
// what each of them was about to do.
//
// The process of the run dies with the run, and the log of steps does not say which other threads
// were enabled. So the run writes a stream of words to memory that it shares with the process that
// searches.
#pragma once

#include "runtime/base/arena.h"
#include "runtime/strategies/common.h"

namespace snag::rt::dfs {

// A thread that was enabled at a decision.
struct Entry {
  std::uint64_t object;
  Tid thread;
  OpKind kind;
  bool timeout;    // picking it lets its wait time out
  bool backtrack;  // to be tried here
  bool done;       // was tried here, with everything that follows
  bool sleep;      // need not be tried here: an earlier decision covered it
  bool ends;       // the program ended with it: conflicts with everything, so it never sleeps
};

class Trace {
 public:
  enum class Tag : std::uint8_t { kPick, kChoice, kStarted, kStuck, kEnd };

  // One decoded record. `entries` and `changes` are valid until the next one is read.
  struct Record {
    Tag tag = Tag::kEnd;
    Tid chosen = 0;   // pick; started: the new thread
    Tid current = 0;  // pick: the thread that ran before; started: the creator
    bool current_enabled = false;
    std::uint64_t step = 0;
    std::uint32_t count = 0, value = 0;  // choice
    MmapVector<Entry> entries;           // pick: enabled threads
    MmapVector<Entry>
        changes;  // pick, stuck: threads whose pending operation is new (kNone: ended)
  };

  bool open() {
    if (words_ == nullptr) words_ = map_shared<std::uint64_t>(kCapacity);
    return words_ != nullptr;
  }
  bool overflowed() const { return words_[1] != 0; }

  // Writing, in the process of the run.
  void begin() {
    words_[0] = kHeader;
    words_[1] = 0;
    known_.clear();
  }
  void pick(const World& world, Tid chosen) {
    const std::size_t need = 4 + world.enabled.size() + 2 * world.thread_count;
    if (!room(need)) return;
    put(word(Tag::kPick, chosen, world.current, world.current_enabled));
    put(world.step);
    std::uint64_t& counts = put(0);
    for (const Tid t : world.enabled) put(t | (std::uint64_t{world.timeout[t] != 0} << 16));
    counts = world.enabled.size() | (put_changes(world) << 32);
  }
  void choice(std::uint32_t count, std::uint32_t value) {
    if (!room(2)) return;
    put(word(Tag::kChoice, 0, 0, false));
    put(count | (std::uint64_t{value} << 32));
  }
  void started(Tid thread, Tid creator) {
    if (room(1)) put(word(Tag::kStarted, thread, creator, false));
  }
  void stuck(const World& world) {
    if (!room(2 + 2 * world.thread_count)) return;
    put(word(Tag::kStuck, 0, 0, false));
    std::uint64_t& counts = put(0);
    counts = put_changes(world) << 32;
  }

  // Reading, in the process that searches.
  void rewind() { at_ = kHeader, known_.clear(); }
  void next(Record& r) {
    r.entries.clear();
    r.changes.clear();
    r.tag = Tag::kEnd;
    if (at_ >= words_[0]) return;
    const std::uint64_t head = words_[at_++];
    r.tag = static_cast<Tag>(head & 0xff);
    r.current_enabled = (head >> 8 & 1) != 0;
    r.chosen = static_cast<Tid>(head >> 16);
    r.current = static_cast<Tid>(head >> 32);
    if (r.tag == Tag::kStarted) return;
    if (r.tag == Tag::kPick) r.step = words_[at_++];
    const std::uint64_t counts = words_[at_++];
    const auto low = static_cast<std::uint32_t>(counts),
               high = static_cast<std::uint32_t>(counts >> 32);
    if (r.tag == Tag::kChoice) {
      r.count = low, r.value = high;
      return;
    }
    const std::uint64_t enabled = at_;
    at_ += low;
    for (std::uint32_t i = 0; i < high; ++i, at_ += 2) {
      const Entry change{words_[at_ + 1],
                         static_cast<Tid>(words_[at_]),
                         static_cast<OpKind>(words_[at_] >> 16 & 0xff),
                         false,
                         false,
                         false,
                         false,
                         false};
      while (known_.size() <= change.thread) known_.push_back({});
      known_[change.thread] = {change.kind, change.object, 0};
      r.changes.push_back(change);
    }
    for (std::uint32_t i = 0; i < low; ++i) {
      const auto t = static_cast<Tid>(words_[enabled + i]);
      while (known_.size() <= t) known_.push_back({});
      r.entries.push_back({known_[t].object, t, known_[t].kind, (words_[enabled + i] >> 16) != 0,
                           false, false, false, false});
    }
  }

 private:
  // 256 MB of address space. A run of a hundred thousand steps uses about 5 MB of it.
  static constexpr std::size_t kCapacity = 1 << 25;
  static constexpr std::uint64_t kHeader = 2;  // length, overflow

  static std::uint64_t word(Tag tag, Tid a, Tid b, bool flag) {
    return static_cast<std::uint64_t>(tag) | (std::uint64_t{flag} << 8) | (std::uint64_t{a} << 16) |
           (std::uint64_t{b} << 32);
  }
  bool room(std::size_t n) {
    if (words_[1] != 0 || words_[0] + n > kCapacity) words_[1] = 1;
    return words_[1] == 0;
  }
  std::uint64_t& put(std::uint64_t w) { return words_[words_[0]++] = w; }

  std::uint64_t put_changes(const World& world) {
    while (known_.size() < world.thread_count) known_.push_back({});
    std::uint64_t changes = 0;
    for (std::uint32_t t = 0; t < world.thread_count; ++t) {
      const Op& op = world.pending[t];
      // The thread that took the step has a new operation, even if it looks like the last one.
      if (op.kind == known_[t].kind && op.object == known_[t].object && t != world.current)
        continue;
      known_[t] = op;
      put(t | (static_cast<std::uint64_t>(op.kind) << 16));
      put(op.object);
      ++changes;
    }
    return changes;
  }

  std::uint64_t* words_ = nullptr;
  std::uint64_t at_ = 0;
  MmapVector<Op> known_;
};

// Whether the order of two operations of different threads can matter: more cautious than
// `conflicts`, because here it is the claim to have seen everything that depends on it.
constexpr bool locks_mutex(OpKind k) {
  return k == OpKind::kMutexLock || k == OpKind::kMutexTryLock || k == OpKind::kMutexTimedLock;
}
constexpr bool uses_mutex(OpKind k) { return locks_mutex(k) || k == OpKind::kMutexUnlock; }

// The objects an operation touches, as up to two (object, writes) pairs. Beside its own:
//  - creating a thread also takes the next thread number;
//  - waiting for a condition also releases a mutex, but the log does not say which: as if it wrote
//  one that every mutex
//    operation reads.
inline constexpr std::uint64_t kThreadNumbers = ~std::uint64_t{0};
inline constexpr std::uint64_t kAnyMutex = ~std::uint64_t{1};
struct Touch {
  std::uint64_t object = 0;
  bool writes = false;
};
struct Touches {
  Touch at[2];
};
constexpr Touches touches(OpKind kind, std::uint64_t object, bool timeout) {
  Touches t;
  if (kind == OpKind::kThreadCreate) {
    t.at[0] = {kThreadNumbers, true};
    return t;
  }
  if (object != 0 && (op_access(kind) != '-' || timeout))
    t.at[0] = {object, op_access(kind) == 'w' || timeout};
  if (kind == OpKind::kCondWait || kind == OpKind::kTimeout) t.at[1] = {kAnyMutex, true};
  if (uses_mutex(kind)) t.at[1] = {kAnyMutex, false};
  return t;
}
constexpr bool dependent(const Touches& a, const Touches& b) {
  for (const Touch& x : a.at) {
    for (const Touch& y : b.at) {
      if (x.object != 0 && x.object == y.object && (x.writes || y.writes)) return true;
    }
  }
  return false;
}
inline bool dependent(const Entry& a, const Entry& b) {
  return dependent(touches(a.kind, a.object, a.timeout), touches(b.kind, b.object, b.timeout));
}

// Whether both operations can be enabled in the same state. A thread that waits for a mutex is not
// enabled until the mutex is unlocked.
inline bool may_be_coenabled(OpKind done, OpKind pending) {
  if (done == OpKind::kMutexUnlock && pending == OpKind::kMutexLock) return false;
  if (done == OpKind::kSpinUnlock && pending == OpKind::kSpinLock) return false;
  return !(done == OpKind::kThreadExit && pending == OpKind::kThreadJoin);
}

}  // namespace snag::rt::dfs
