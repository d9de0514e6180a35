#include "runtime/strategies/dfs/dfs_races.h"

namespace snag::rt {
namespace {

using dfs::Entry;
using dfs::Races;
using dfs::Trace;

// Systematic search: every run is one that was not there before, until nothing new is left.
//
// Depth first and stateless: the search is a stack of decisions (which thread, and where the
// program asked, which of n alternatives). A run follows the stack, then goes on by the default
// rule: stay on the current thread, else the one with the lowest number. Afterwards the last
// decision with something left to try is changed, and what lies above it is dropped.
//
// Not everything needs trying: schedules that differ only in the order of independent operations
// lead to the same. Dynamic partial-order reduction (Flanagan, Godefroid; POPL 2005) looks at the
// run that just ended. Where two operations of different threads conflict and could have come the
// other way round, it plants a *backtrack point* at the decision that let the earlier one go first.
// Which thread is to be tried there is decided by source sets (Abdulla, Aronis, Jonsson, Sagonas;
// POPL 2014): one that can begin a run in which everything happens that does not follow from the
// earlier operation, and then the later one; nothing is planted if such a thread is tried there
// anyway. Sleep sets (Godefroid 1996) remove what still is double: a thread that has been tried at
// a decision sleeps in the subtrees of the others until one does something that conflicts with its
// operation. When all who could run sleep, the rest of the run is a repetition, and nothing is
// planted in it. The older rule (plant the later thread itself) must not be combined with sleep
// sets: it lost orders in a few in a thousand of the random programs of the test. This way
// there is one run, apart from a few repetitions, for every partial order.
//
// With a preemption bound the schedules that switch away from a thread that could go on more often
// than that (or let a wait expire early; each counts one) are left out. A reduction that knows
// nothing of bounds would lose schedules: it may keep of a class of equivalent ones just the one
// beyond the bound. So bounded reduction (Coons, Musuvathi, McKinley; OOPSLA 2013) plants each
// backtrack point a second time where the thread that is interrupted was switched to, since coming
// first there costs no preemption, looks at the last conflict with *every* other thread, and uses
// no sleep sets.
//
// That theory has no waits that expire early, and with their price its reduction is known to lose
// orders: from the first such wait on the search begins anew and tries everybody everywhere, which
// needs no theory.
//
// What the claim "everything explored" rests on: `dependent` tells all pairs whose order matters,
// and the program is the same in every run but for the schedule. If a run does not follow its own
// prefix, or is too long to be recorded, the search goes on as well as it can, and bound_hit() says
// that it was not complete. The last step of a run may be the end of the program for threads that
// were not through (exit, crash): it counts as conflicting with everything.
class Dfs final : public Strategy {
 public:
  // Starts a search from the beginning.
  void reset(std::int32_t bound) {
    bound_ = bound;
    nodes_.clear();
    entries_.clear();
    exhausted_ = cut_ = plain_ = timeouts_ = false;
    if (!trace_.open()) __builtin_trap();
  }

  void begin(const RunPlan&) override {
    trace_.begin();
    at_ = 0;
    sleep_.clear();
    last_pick_ = nodes_.size();
    while (last_pick_ > 0 && nodes_[last_pick_ - 1].count != 0) --last_pick_;  // 0: there is none
  }

  Tid pick(const World& world) override {
    Tid chosen;
    if (at_ < nodes_.size() && nodes_[at_].count == 0 &&
        contains(world.enabled, nodes_[at_].chosen)) {
      chosen = nodes_[at_].chosen;
      if (++at_ == last_pick_) sleep_after(nodes_[at_ - 1], sleep_);
    } else {
      if (at_ < nodes_.size())
        at_ = nodes_.size();  // does not follow its prefix: `learn` will notice
      chosen = extend(world);
    }
    trace_.pick(world, chosen);
    return chosen;
  }

  std::uint32_t choose(const World&, std::uint32_t n) override {
    std::uint32_t value = 0;
    if (at_ < nodes_.size() && nodes_[at_].count == n) {
      value = nodes_[at_++].value;
    } else if (at_ < nodes_.size()) {
      at_ = nodes_.size();
    }
    trace_.choice(n, value);
    return value;
  }

  void thread_started(Tid thread, Tid creator) override { trace_.started(thread, creator); }
  void stuck(const World& world) override { trace_.stuck(world); }

  void learn(const RunLog& log) override {
    if (exhausted_) return;
    read_trace(log);
    if (bound_ >= 0 && !plain_ && timeouts_) {
      const bool cut = cut_;
      reset(bound_);
      cut_ = cut;
      plain_ = true;
      return;
    }
    advance();
  }

  void points_changed() override { reset(bound_); }
  bool exhausted() const override { return exhausted_; }
  bool bound_hit() const override { return cut_; }

  // Called by Races: what `thread` is about to do could have come before the event.
  void race(std::uint32_t event, Tid thread) {
    const std::uint32_t node = races_.event(event).node;
    // Known from an earlier run with the same beginning; or nobody decided anything there.
    if (old_ || node == dfs::kNoNode) return;
    plant(node, event, thread);
    if (bound_ < 0) return;
    std::uint32_t start = event;
    while (start > 0 && races_.event(start - 1).thread == races_.event(event).thread) --start;
    while (start < event && races_.event(start).node == dfs::kNoNode) ++start;
    if (start < event) plant(races_.event(start).node, start, thread);
  }

 private:
  // A decision. Its entries stand in entries_.
  struct Node {
    std::size_t first;  // entry
    std::uint32_t entries;
    std::uint32_t count;       // not 0: a choice of that many
    std::uint32_t value;       // the choice
    Tid chosen;                // the thread
    Tid current;               // who ran before
    bool stay;                 // ... and could have gone on: anybody else is a preemption
    std::int32_t preemptions;  // on the way here
  };

  static bool contains(std::span<const Tid> threads, Tid t) {
    return std::find(threads.begin(), threads.end(), t) != threads.end();
  }
  std::span<Entry> entries(const Node& node) {
    return {entries_.data() + node.first, node.entries};
  }
  static Entry* find(std::span<Entry> all, Tid t) {
    for (Entry& e : all) {
      if (e.thread == t) return &e;
    }
    return nullptr;
  }

  // The threads that sleep once the node's chosen one has gone.
  void sleep_after(const Node& node, MmapVector<Entry>& sleep) {
    sleep.clear();
    if (bound_ >= 0) return;
    const Entry* chosen = find(entries(node), node.chosen);
    for (const Entry& e : entries(node)) {
      if ((e.sleep || e.done) && !e.ends && e.thread != node.chosen && !dependent(e, *chosen))
        sleep.push_back(e);
    }
  }
  static bool asleep(const MmapVector<Entry>& sleep, Tid t, const Op& op, bool timeout) {
    for (const Entry& e : sleep) {
      if (e.thread == t) return e.kind == op.kind && e.object == op.object && e.timeout == timeout;
    }
    return false;
  }

  // The default rule. If everybody sleeps, it does not matter any more.
  Tid extend(const World& world) {
    auto sleeps = [&](Tid t) { return asleep(sleep_, t, world.pending[t], world.timeout[t] != 0); };
    Tid best = kNoTid;
    if (world.current_enabled && world.timeout[world.current] == 0 && !sleeps(world.current)) {
      best = world.current;
    } else {
      std::uint32_t best_rank = ~0u;
      for (const Tid t : world.enabled) {
        const std::uint32_t rank =
            t | (world.timeout[t] != 0 ? 1u << 16 : 0) | (sleeps(t) ? 1u << 17 : 0);
        if (rank < best_rank) best = t, best_rank = rank;
      }
    }
    // Wake who conflicts with it.
    const Op& op = world.pending[best];
    const dfs::Touches touches = dfs::touches(op.kind, op.object, world.timeout[best] != 0);
    std::size_t kept = 0;
    for (const Entry& e : sleep_) {
      if (e.thread == best || dependent(dfs::touches(e.kind, e.object, e.timeout), touches))
        continue;
      if (!asleep(sleep_, e.thread, world.pending[e.thread], world.timeout[e.thread] != 0))
        continue;
      sleep_[kept++] = e;
    }
    sleep_.resize(kept);
    return best;
  }

  // Goes through the run, extends the stack by what is new in it, and plants backtrack points.
  void read_trace(const RunLog& log) {
    std::uint32_t threads = log.thread_count;
    for (const Step& s : log.steps) threads = std::max<std::uint32_t>(threads, s.thread + 1u);
    races_.begin(std::max(threads, 1u), bound_ < 0 ? dfs::Ask::kWhenDone : dfs::Ask::kWhenPending);
    if (trace_.overflowed()) cut_ = true;

    trace_.rewind();
    std::size_t at = 0;  // node
    const std::size_t changed =
        nodes_.size();       // the last of these is what this run did differently
    std::uint64_t step = 0;  // of the log
    bool repetition = false;
    constexpr std::size_t kNone = ~std::size_t{0};
    std::size_t last = kNone;  // decision, unless the run got stuck
    for (trace_.next(record_); record_.tag != Trace::Tag::kEnd && !repetition;) {
      old_ = at + 1 < changed && at < nodes_.size();
      switch (record_.tag) {
        case Trace::Tag::kStarted:
          races_.started(record_.chosen, record_.current);
          break;
        case Trace::Tag::kChoice:
          if (at < nodes_.size() &&
              (nodes_[at].count != record_.count || nodes_[at].value != record_.value))
            diverged(at);
          if (at == nodes_.size()) {
            nodes_.push_back({entries_.size(), 0, record_.count, record_.value, 0, 0, false,
                              preemptions_after(at)});
          }
          ++at;
          break;
        case Trace::Tag::kStuck:
          changes(threads);
          last = kNone;
          break;
        case Trace::Tag::kPick: {
          // Steps that nobody was asked about.
          for (; step < record_.step && step < log.steps.size(); ++step) silent(log.steps[step]);
          step = record_.step + 1;
          if (at < nodes_.size() && !matches(nodes_[at])) diverged(at);
          changes(threads);
          if (at == nodes_.size()) {
            if (!push_node()) {
              repetition = true;
              break;
            }
          }
          last = at;
          const Entry* chosen = find(entries(nodes_[at]), nodes_[at].chosen);
          races_.happened(*chosen, static_cast<std::uint32_t>(at), *this);
          ++at;
          break;
        }
        case Trace::Tag::kEnd:
          break;
      }
      trace_.next(record_);
    }
    old_ = false;
    if (at < nodes_.size()) diverged(at);
    const bool program_ended = !repetition && last != kNone;
    if (program_ended) find(entries(nodes_[last]), nodes_[last].chosen)->ends = true;
    races_.ended(program_ended, *this);
  }

  void changes(std::uint32_t threads) {
    for (const Entry& change : record_.changes) {
      if (change.thread >= threads || change.kind == OpKind::kNone) continue;
      const Entry* enabled = find({record_.entries.data(), record_.entries.size()}, change.thread);
      races_.pending(change, enabled != nullptr && enabled->timeout, *this);
    }
  }

  void silent(const Step& s) {
    const Entry op{s.object, s.thread, s.kind, false, false, false, false, false};
    races_.pending(op, false, *this);
    races_.happened(op, dfs::kNoNode, *this);
  }

  bool matches(const Node& node) {
    if (node.count != 0 || node.chosen != record_.chosen || node.entries != record_.entries.size())
      return false;
    for (std::uint32_t i = 0; i < node.entries; ++i) {
      const Entry &a = entries_[node.first + i], &b = record_.entries[i];
      if (a.thread != b.thread || a.kind != b.kind || a.timeout != b.timeout) return false;
    }
    return true;
  }

  // The run is not the one it was to be. What was planned above this point makes no sense any more.
  void diverged(std::size_t at) {
    cut_ = true;
    old_ = false;
    entries_.resize(nodes_[at].first);
    nodes_.resize(at);
  }

  std::int32_t preemptions_after(std::size_t at) {
    if (at == 0) return 0;
    const Node& node = nodes_[at - 1];
    return node.count != 0 ? node.preemptions : node.preemptions + cost(node, node.chosen);
  }

  // Adds the decision of record_ to the stack; false if all who could run sleep.
  bool push_node() {
    const std::size_t at = nodes_.size();
    std::size_t below = at;  // the thread decision before this one
    while (below > 0 && nodes_[below - 1].count != 0) --below;
    if (below > 0) {
      sleep_after(nodes_[below - 1], sleep_);
    } else {
      sleep_.clear();
    }
    bool any_awake = false;
    const Entry* current = find({record_.entries.data(), record_.entries.size()}, record_.current);
    const Node node{entries_.size(),
                    static_cast<std::uint32_t>(record_.entries.size()),
                    0,
                    0,
                    record_.chosen,
                    record_.current,
                    record_.current_enabled && current != nullptr && !current->timeout,
                    preemptions_after(at)};
    for (Entry e : record_.entries) {
      e.sleep = asleep(sleep_, e.thread, {e.kind, e.object, 0}, e.timeout);
      // A timeout that does not happen leaves no event behind that could race (a signal made
      // another one of it): it is tried wherever it is possible, and sleep sets take care of
      // repetitions.
      e.backtrack = plain_ || e.timeout || e.thread == record_.chosen;
      timeouts_ |= e.timeout;
      any_awake |= !e.sleep;
      entries_.push_back(e);
    }
    if (!any_awake) {
      entries_.resize(node.first);
      return false;
    }
    nodes_.push_back(node);
    return true;
  }

  // What choosing t at the node costs of the bound.
  std::int32_t cost(const Node& node, Tid t) {
    std::int32_t c = node.stay && t != node.current ? 1 : 0;
    bool others = false, expires = false;
    for (const Entry& e : entries(node)) {
      others |= !e.timeout;
      expires |= e.thread == t && e.timeout;
    }
    return c + (others && expires ? 1 : 0);
  }

  void plant(std::uint32_t node, std::uint32_t event, Tid thread) {
    const std::span<Entry> all = entries(nodes_[node]);
    if (bound_ >= 0) {
      if (Entry* e = find(all, thread)) {
        e->backtrack = true;
        return;
      }
    } else {
      const auto& initials = races_.initials(event, thread);
      Entry* best = nullptr;
      for (Entry& e : all) {
        if (initials[e.thread] == 0) continue;
        if (e.backtrack || e.sleep)
          return;  // this way round is tried here, or is covered further up
        if (best == nullptr || e.thread == thread) best = &e;
      }
      if (best != nullptr) {
        best->backtrack = true;
        return;
      }
    }
    for (Entry& e : all) e.backtrack = true;
  }

  // To the next thing to try.
  void advance() {
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      if (node.count != 0) {
        if (++node.value < node.count) return;
      } else {
        find(entries(node), node.chosen)->done = true;
        for (const Entry& e : entries(node)) {
          if (!e.backtrack || e.done || (bound_ < 0 && e.sleep)) continue;
          if (bound_ >= 0 && node.preemptions + cost(node, e.thread) > bound_) {
            cut_ = true;
            continue;
          }
          node.chosen = e.thread;
          return;
        }
      }
      entries_.resize(node.first);
      nodes_.pop_back();
    }
    exhausted_ = true;
  }

  std::int32_t bound_ = -1;
  bool exhausted_ = false;
  bool cut_ = false;
  bool timeouts_ = false;  // seen in any run so far
  bool plain_ = false;     // no reduction
  MmapVector<Node> nodes_;
  MmapVector<Entry> entries_;
  Trace trace_;
  Trace::Record record_;
  Races<Dfs> races_;
  bool old_ = false;  // the part of the run being read is as it was before

  // Of the run.
  std::size_t at_ = 0;         // node that comes next
  std::size_t last_pick_ = 0;  // number of nodes up to the last decision between threads
  MmapVector<Entry> sleep_;
};

constinit Dfs the_dfs;

}  // namespace

Strategy* dfs_strategy(std::int32_t preemption_bound) {
  the_dfs.reset(preemption_bound);
  return &the_dfs;
}

}  // namespace snag::rt
