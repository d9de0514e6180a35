// Happens-before over the steps of one run, and the races in it: pairs of operations that could
// have happened in the other order.
#pragma once

#include <algorithm>

#include "runtime/strategies/dfs/dfs_trace.h"

namespace snag::rt::dfs {

inline constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

struct Event {
  OpKind kind;
  Tid thread;
  std::uint32_t local;  // number among the events of its thread, from 1
  std::uint32_t node;   // the decision that led to it
  Touches touches;
  std::uint32_t previous[2];  // for each touch: the previous event on the same object, + 1
};

// Gets the events of a run in order and reports races to `Sink::race(event, thread)`: the pending
// operation of the thread conflicts with the event but does not depend on it, so it could have
// happened before the event. There are two ways of asking:
//
// kWhenDone: when an operation happens, about the last conflicting event of each other thread,
// unless another race lies between the two; and at the end about operations still pending. For
// reduction by source sets.
//
// kWhenPending: as soon as an operation becomes pending, and again whenever another thread does
// something that conflicts with it. For reduction under a preemption bound.
enum class RaceQuery : std::uint8_t { kWhenDone, kWhenPending };

template <typename Sink>
class Races {
 public:
  void begin(std::uint32_t threads, RaceQuery query) {
    threads_ = threads;
    query_ = query;
    event_clocks_.clear();
    events_.clear();
    objects_.clear();
    slots_.clear();
    object_clocks_.clear();
    rehash(256);
    clear(clocks_, std::size_t{threads} * threads);
    clear(locals_, threads);
    clear(before_last_, threads);
    pending_.resize(threads);
    for (Pending& p : pending_) p = {};
  }

  const Event& event(std::uint32_t index) const { return events_[index]; }
  std::uint32_t event_count() const { return static_cast<std::uint32_t>(events_.size()); }

  void started(Tid thread, Tid creator) {
    if (creator < threads_ && thread < threads_) merge(clock(thread), clock(creator));
  }

  void pending(const Entry& op, bool timeout, Sink& sink) {
    Pending& p = pending_[op.thread];
    if (p.finished) return;
    // Another thread changed what it is about to do, so that depends on that thread's last event.
    if (p.kind != OpKind::kNone && !events_.empty())
      merge(clock(op.thread), clock(events_.back().thread));
    p.kind = op.kind;
    p.touches = touches(op.kind, op.object, timeout);
    if (query_ == RaceQuery::kWhenPending) look_back(op.thread, sink);
  }

  void happened(const Entry& op, std::uint32_t node, Sink& sink) {
    const auto index = static_cast<std::uint32_t>(events_.size());
    events_.push_back({op.kind,
                       op.thread,
                       ++locals_[op.thread],
                       node,
                       touches(op.kind, op.object, op.timeout),
                       {0, 0}});
    Event& e = events_.back();
    // The operation may have changed since it became pending: a wait that could have succeeded may
    // time out now.
    pending_[op.thread].kind = e.kind;
    pending_[op.thread].touches = e.touches;
    if (query_ == RaceQuery::kWhenDone) {
      events_.pop_back();
      look_back(op.thread, sink);
      events_.resize(index + 1);
    }
    for (std::uint32_t t = 0; query_ == RaceQuery::kWhenPending && t < threads_; ++t) {
      const Pending& p = pending_[t];
      if (t != op.thread && p.kind != OpKind::kNone && !p.finished &&
          dependent(e.touches, p.touches) && may_be_coenabled(e.kind, p.kind)) {
        sink.race(index, static_cast<Tid>(t));
      }
    }
    std::uint32_t* mine = clock(op.thread);
    std::copy(mine, mine + threads_, before_last_.begin());
    std::uint32_t at[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      const Touch& touch = e.touches.at[i];
      if (touch.object == 0) continue;
      at[i] = object_of(touch.object);
      merge(mine, object_clock(at[i], touch.writes));
    }
    mine[op.thread] = e.local;
    for (int i = 0; i < 2; ++i) {
      const Touch& touch = e.touches.at[i];
      if (touch.object == 0) continue;
      merge(object_clock(at[i], true), mine);
      if (touch.writes) merge(object_clock(at[i], false), mine);
      e.previous[i] = objects_[at[i]].last;
      objects_[at[i]].last = index + 1;
    }
    event_clocks_.resize(events_.size() * threads_);
    std::copy(mine, mine + threads_, event_clock(index));
    pending_[op.thread].kind = OpKind::kNone;
    if (op.kind == OpKind::kThreadExit) pending_[op.thread].finished = true;
  }

  // The run is over. If its last event ended the program, the event conflicts with the pending
  // operations of other threads, and could itself have happened before their last events.
  void ended(bool program_ended, Sink& sink) {
    if (events_.empty()) return;
    for (std::uint32_t t = 0; query_ == RaceQuery::kWhenDone && t < threads_; ++t) {
      if (pending_[t].kind != OpKind::kNone && !pending_[t].finished)
        look_back(static_cast<Tid>(t), sink);
    }
    if (!program_ended) return;
    const Tid thread = events_.back().thread;
    const auto last = static_cast<std::uint32_t>(events_.size() - 1);
    for (std::uint32_t t = 0; t < threads_; ++t) {
      if (t != thread && pending_[t].kind != OpKind::kNone && !pending_[t].finished)
        sink.race(last, static_cast<Tid>(t));
    }
    seen_.clear();
    for (std::size_t i = events_.size() - 1; i > 0; --i) {
      const Event& e = events_[i - 1];
      if (e.thread == thread || before_last_[e.thread] >= e.local || !first_of(e.thread)) continue;
      sink.race(static_cast<std::uint32_t>(i - 1), thread);
    }
  }

  // The threads that can go first in a run that continues from before event `index` with everything
  // that does not depend on the event, and then the pending operation of `thread`: marks[t] is set
  // for these. (The initials of notdep(e).p in Abdulla, Aronis, Jonsson, Sagonas; POPL 2014.)
  const MmapVector<std::uint8_t>& initials(std::uint32_t index, Tid thread) {
    marks_.resize(threads_);
    std::fill(marks_.begin(), marks_.end(), 0);
    clear(first_, threads_);  // local number of each thread's first event in that run
    const Event& e = events_[index];
    bool alone = true;  // no event so far conflicts with the last operation
    for (std::uint32_t i = index + 1; i < events_.size(); ++i) {
      const Event& f = events_[i];
      const std::uint32_t* known = event_clock(i);
      if (known[e.thread] >= e.local) continue;
      alone = alone && !dependent(f.touches, pending_[thread].touches);
      if (first_[f.thread] != 0) continue;
      marks_[f.thread] = !follows(known, f.thread);
      first_[f.thread] = f.local;
    }
    if (first_[thread] == 0) marks_[thread] = alone && !follows(clock(thread), thread);
    return marks_;
  }

 private:
  struct Pending {
    OpKind kind = OpKind::kNone;
    bool finished = false;
    Touches touches;
  };
  struct Object {
    std::uint64_t address;
    std::uint32_t last;  // event + 1
  };

  static void clear(MmapVector<std::uint32_t>& v, std::size_t n) {
    v.resize(n);
    std::fill(v.begin(), v.end(), 0);
  }

  bool follows(const std::uint32_t* known, Tid self) const {
    for (std::uint32_t t = 0; t < threads_; ++t) {
      if (t != self && first_[t] != 0 && known[t] >= first_[t]) return true;
    }
    return false;
  }

  void look_back(Tid thread, Sink& sink) {
    found_.clear();
    for (const Touch& touch : pending_[thread].touches.at) {
      if (touch.object != 0) look_back(thread, touch, sink);
    }
  }

  void look_back(Tid thread, const Touch& touch, Sink& sink) {
    const std::uint32_t* mine = clock(thread);
    const OpKind kind = pending_[thread].kind;
    const std::uint32_t object = object_of(touch.object);
    seen_.clear();
    for (std::uint32_t at = objects_[object].last; at != 0;) {
      const Event& e = events_[at - 1];
      const int i = e.touches.at[0].object == touch.object ? 0 : 1;
      const bool before = e.thread == thread || mine[e.thread] >= e.local;
      // What happened before a write to the object also happened before this operation.
      if (before && e.touches.at[i].writes) return;
      if (!before && (touch.writes || e.touches.at[i].writes) && may_be_coenabled(e.kind, kind) &&
          first_of(e.thread) && (query_ == RaceQuery::kWhenPending || immediate(e))) {
        found_.push_back(at - 1);
        sink.race(at - 1, thread);
      }
      at = e.previous[i];
    }
  }

  // Whether no race found so far lies between the event and the operation.
  bool immediate(const Event& e) {
    for (const std::uint32_t f : found_) {
      if (event_clock(f)[e.thread] >= e.local) return false;
    }
    return true;
  }

  bool first_of(Tid thread) {
    if (std::find(seen_.begin(), seen_.end(), thread) != seen_.end()) return false;
    seen_.push_back(thread);
    return true;
  }

  std::uint32_t* event_clock(std::uint32_t event) {
    return event_clocks_.data() + std::size_t{event} * threads_;
  }
  std::uint32_t* clock(Tid t) { return clocks_.data() + std::size_t{t} * threads_; }
  // The clock of all accesses so far, or of the writes only.
  std::uint32_t* object_clock(std::uint32_t object, bool all) {
    return object_clocks_.data() + (std::size_t{object} * 2 + (all ? 1 : 0)) * threads_;
  }
  void merge(std::uint32_t* into, const std::uint32_t* from) {
    for (std::uint32_t i = 0; i < threads_; ++i) into[i] = std::max(into[i], from[i]);
  }

  std::uint32_t object_of(std::uint64_t address) {
    std::size_t at = mix64(address);
    while (const std::uint32_t slot = slots_[at & (slots_.size() - 1)]) {
      if (objects_[slot - 1].address == address) return slot - 1;
      ++at;
    }
    if ((objects_.size() + 1) * 2 > slots_.size()) {
      rehash(slots_.size() * 2);
      return object_of(address);
    }
    objects_.push_back({address, 0});
    slots_[at & (slots_.size() - 1)] = static_cast<std::uint32_t>(objects_.size());
    const std::size_t old = object_clocks_.size();
    object_clocks_.resize(old + std::size_t{threads_} * 2);
    std::fill(object_clocks_.begin() + old, object_clocks_.end(), 0);
    return static_cast<std::uint32_t>(objects_.size() - 1);
  }

  void rehash(std::size_t n) {
    clear(slots_, n);
    for (std::uint32_t i = 0; i < objects_.size(); ++i) {
      std::size_t at = mix64(objects_[i].address);
      while (slots_[at & (n - 1)] != 0) ++at;
      slots_[at & (n - 1)] = i + 1;
    }
  }

  std::uint32_t threads_ = 0;
  RaceQuery query_ = RaceQuery::kWhenDone;
  MmapVector<Event> events_;
  MmapVector<Pending> pending_;
  MmapVector<std::uint32_t> clocks_;       // threads x threads
  MmapVector<std::uint32_t> before_last_;  // clock of the last event's thread before that event
  MmapVector<std::uint32_t> locals_;       // number of events of each thread so far
  MmapVector<Object> objects_;
  MmapVector<std::uint32_t> slots_;
  MmapVector<std::uint32_t> object_clocks_;  // objects x 2 x threads
  MmapVector<std::uint32_t> event_clocks_;   // events x threads
  MmapVector<Tid> seen_;
  MmapVector<std::uint32_t> found_;
  MmapVector<std::uint32_t> first_;
  MmapVector<std::uint8_t> marks_;
};

}  // namespace snag::rt::dfs
