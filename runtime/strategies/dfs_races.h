// Happens-before over the steps of one run, and the races in it: pairs of operations whose order could have been different.
#pragma once

#include <algorithm>

#include "runtime/strategies/dfs_trace.h"

namespace snag::rt::dfs {

inline constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

struct Event {
  OpKind kind;
  Tid thread;
  std::uint32_t local;        // number among the thread's own events, from 1
  std::uint32_t node;         // the decision that led to it
  Touches touches;
  std::uint32_t previous[2];  // event + 1 on the same object
};

// Fed with a run in its order, reports each race to `Sink::race(event, thread)`: the pending operation of the thread
// could have come before the event. That is asked
//  - when an event happens, about what every other thread is about to do;
//  - when a thread has a new pending operation, about the last event that it conflicts with and does not follow
//    from (with `every_thread`, the last one of each other thread, which a preemption bound needs).
template <typename Sink>
class Races {
 public:
  void begin(std::uint32_t threads, bool every_thread) {
    threads_ = threads;
    every_thread_ = every_thread;
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
    p.kind = op.kind;
    p.touches = touches(op.kind, op.object, timeout);
    for (const Touch& touch : p.touches.at) {
      if (touch.object != 0) look_back(op.thread, p, touch, sink);
    }
  }

  void happened(const Entry& op, std::uint32_t node, Sink& sink) {
    const auto index = static_cast<std::uint32_t>(events_.size());
    events_.push_back({op.kind, op.thread, ++locals_[op.thread], node, touches(op.kind, op.object, op.timeout), {0, 0}});
    Event& e = events_.back();
    for (std::uint32_t t = 0; t < threads_; ++t) {
      const Pending& p = pending_[t];
      if (t != op.thread && p.kind != OpKind::kNone && !p.finished && dependent(e.touches, p.touches) &&
          may_be_coenabled(e.kind, p.kind)) {
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
    pending_[op.thread].kind = OpKind::kNone;
    if (op.kind == OpKind::kThreadExit) pending_[op.thread].finished = true;
  }

  // The last event was the end of the program: it conflicts with what others were about to do, and could itself have
  // come before what others did.
  void ended(Sink& sink) {
    if (events_.empty()) return;
    const Tid thread = events_.back().thread;
    const auto last = static_cast<std::uint32_t>(events_.size() - 1);
    for (std::uint32_t t = 0; t < threads_; ++t) {
      if (t != thread && pending_[t].kind != OpKind::kNone && !pending_[t].finished) sink.race(last, static_cast<Tid>(t));
    }
    seen_.clear();
    for (std::size_t i = events_.size() - 1; i > 0; --i) {
      const Event& e = events_[i - 1];
      if (e.thread == thread || before_last_[e.thread] >= e.local || !first_of(e.thread)) continue;
      sink.race(static_cast<std::uint32_t>(i - 1), thread);
      if (!every_thread_) return;
    }
  }

  // Whether some event of `by` after event `index` happens before what `thread` is about to do.
  bool leads_to(std::uint32_t index, Tid by, Tid thread) {
    std::uint32_t known = clock(thread)[by];
    if (by == thread) known = locals_[by];
    if (known == 0) return false;
    for (std::uint32_t i = index + 1; i < events_.size(); ++i) {
      if (events_[i].thread == by) return events_[i].local <= known;
    }
    return false;
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

  void look_back(Tid thread, const Pending& p, const Touch& touch, Sink& sink) {
    const std::uint32_t* mine = clock(thread);
    const std::uint32_t object = object_of(touch.object);
    seen_.clear();
    for (std::uint32_t at = objects_[object].last; at != 0;) {
      const Event& e = events_[at - 1];
      const int i = e.touches.at[0].object == touch.object ? 0 : 1;
      const bool before = e.thread == thread || mine[e.thread] >= e.local;
      // Whatever came before a write on the same object came before what follows from the write.
      if (before && e.touches.at[i].writes) return;
      if (!before && (touch.writes || e.touches.at[i].writes) && may_be_coenabled(e.kind, p.kind) && first_of(e.thread)) {
        sink.race(at - 1, thread);
        if (!every_thread_) return;
      }
      at = e.previous[i];
    }
  }

  bool first_of(Tid thread) {
    if (std::find(seen_.begin(), seen_.end(), thread) != seen_.end()) return false;
    seen_.push_back(thread);
    return true;
  }

  std::uint32_t* clock(Tid t) { return clocks_.data() + std::size_t{t} * threads_; }
  // Of all accesses so far, or of the writes only.
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
  bool every_thread_ = false;
  MmapVector<Event> events_;
  MmapVector<Pending> pending_;
  MmapVector<std::uint32_t> clocks_;         // threads x threads
  MmapVector<std::uint32_t> before_last_;    // clock of the last event's thread, before that event
  MmapVector<std::uint32_t> locals_;         // events so far of each thread
  MmapVector<Object> objects_;
  MmapVector<std::uint32_t> slots_;
  MmapVector<std::uint32_t> object_clocks_;  // objects x 2 x threads
  MmapVector<Tid> seen_;
};

}  // namespace snag::rt::dfs
