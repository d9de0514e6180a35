// Implements runtime/strategies/registry.h: the strategy dfs.
#include "runtime/strategies/dfs/dfs_races.h"

namespace snag::rt {
namespace {

using dfs::Entry;
using dfs::Races;
using dfs::Trace;

// Systematic search: every run tries something new, until nothing new is left.
//
// The search is depth-first and stateless. It is a stack of decisions: which thread, and, where the
// program has to choose, which of n alternatives. A run follows the stack, and then continues by
// the default rule: stay on the current thread if it is enabled, else take the one with the lowest
// number. After the run, the last decision with an alternative left is changed, and the decisions
// above it are dropped.
//
// Not every schedule needs to be tried: schedules that differ only in the order of independent
// operations have the same result. Dynamic partial-order reduction (Flanagan, Godefroid; POPL 2005)
// analyses the run that has just ended. Where two operations of different threads conflict and
// could have happened in the other order, it adds a *backtrack point* at the decision that let the
// earlier one go first. Source sets (Abdulla, Aronis, Jonsson, Sagonas; POPL 2014) decide which
// thread to try there: one that can start a run in which everything happens that does not depend on
// the earlier operation, and then the later operation. If such a thread is going to be tried there
// anyway, nothing is added. Sleep sets (Godefroid 1996) remove the remaining duplicates: a thread
// that was tried at a decision sleeps in the subtrees of the alternatives until an operation
// conflicts with its own. When all enabled threads sleep, the rest of the run is a repetition, and
// adds no backtrack points. The older rule (add the later thread itself) must not be combined with
// sleep sets: it lost orders in a few of a thousand random programs of the test. With source sets
// there is one run for every partial order, plus a few repetitions.
//
// A preemption bound leaves out the schedules that exceed it. A preemption is a switch away from an
// enabled thread, or a wait that times out early. A reduction that ignores the bound would lose
// schedules: of a class of equivalent schedules it may keep only one beyond the bound. So bounded
// reduction (Coons, Musuvathi, McKinley; OOPSLA 2013) adds each backtrack point a second time,
// where the interrupted thread was switched to, because going first there costs no preemption. It
// considers the last conflict with *every* other thread, and uses no sleep sets.
//
// That theory has no waits that time out early, and with their cost its reduction is known to lose
// orders. So at the first such wait the search starts over without any reduction, and tries every
// thread at every decision.
//
// The claim "everything explored" rests on two assumptions: `dependent` covers all pairs of
// operations whose order matters, and runs of the program differ only by the schedule. If a run
// does not follow its prefix, or is too long to be recorded, the search continues as well as it
// can, and bound_hit() says that it was incomplete. The last step of a run may end the program for
// threads that have not finished (exit, crash): it conflicts with everything.
class Dfs final : public Strategy, public Learner, public Search {
 public:
  constexpr Dfs() : Strategy(StrategyKind::kDfs, this, this) {}

  // Starts the search over.
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
    while (last_pick_ > 0 && nodes_[last_pick_ - 1].count != 0) --last_pick_;  // 0 if there is none
  }

  Tid pick(const World& world) override {
    Tid chosen;
    if (at_ < nodes_.size() && nodes_[at_].count == 0 &&
        contains(world.enabled, nodes_[at_].chosen)) {
      chosen = nodes_[at_].chosen;
      if (++at_ == last_pick_) sleep_after(nodes_[at_ - 1], sleep_);
    } else {
      // If the run does not follow its prefix, `learn` will notice.
      if (at_ < nodes_.size()) at_ = nodes_.size();
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

  // Called by Races: the pending operation of `thread` could have happened before the event.
  void race(std::uint32_t event, Tid thread) {
    const std::uint32_t node = races_.event(event).node;
    // Known from an earlier run with the same prefix, or no decision led to the event.
    if (old_ || node == dfs::kNoNode) return;
    add_backtrack_point(node, event, thread);
    if (bound_ < 0) return;
    std::uint32_t start = event;
    while (start > 0 && races_.event(start - 1).thread == races_.event(event).thread) --start;
    while (start < event && races_.event(start).node == dfs::kNoNode) ++start;
    if (start < event) add_backtrack_point(races_.event(start).node, start, thread);
  }

 private:
  // A decision. Its entries are in entries_.
  struct Node {
    std::size_t first;  // entry
    std::uint32_t entries;
    std::uint32_t count;       // number of alternatives of a choice; 0: a choice of threads
    std::uint32_t value;       // the alternative chosen
    Tid chosen;                // the thread chosen
    Tid current;               // the thread that ran before
    bool stay;                 // whether it was enabled: choosing another one is a preemption
    std::int32_t preemptions;  // before this decision
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

  // The threads that sleep after the step of the node's chosen thread.
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

  // The default rule. If all enabled threads sleep, any of them will do.
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
    // Wake the threads whose operations conflict with it.
    const Op& op = world.pending[best];
    const Touches touches = snag::touches(op.kind, op.object, world.timeout[best] != 0);
    std::size_t kept = 0;
    for (const Entry& e : sleep_) {
      if (e.thread == best || dependent(snag::touches(e.kind, e.object, e.timeout), touches))
        continue;
      if (!asleep(sleep_, e.thread, world.pending[e.thread], world.timeout[e.thread] != 0))
        continue;
      sleep_[kept++] = e;
    }
    sleep_.resize(kept);
    return best;
  }

  // Reads the run, pushes its new decisions onto the stack, and adds backtrack points.
  void read_trace(const RunLog& log) {
    std::uint32_t threads = log.thread_count;
    for (const Step& s : log.steps) threads = std::max<std::uint32_t>(threads, s.thread + 1u);
    races_.begin(std::max(threads, 1u),
                 bound_ < 0 ? dfs::RaceQuery::kWhenDone : dfs::RaceQuery::kWhenPending);
    if (trace_.overflowed()) cut_ = true;

    trace_.rewind();
    std::size_t at = 0;                         // node
    const std::size_t changed = nodes_.size();  // the last of these is what this run changed
    std::uint64_t step = 0;                     // of the log
    bool repetition = false;
    constexpr std::size_t kNone = ~std::size_t{0};
    std::size_t last = kNone;  // the last decision, unless the run got stuck
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
          // Steps that the strategy was not asked about.
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

  // The run differs from the planned one. Drop the decisions from here on.
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

  // Pushes the decision in record_ onto the stack; false if all enabled threads sleep.
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
      // A timeout that did not happen (because a signal came first) leaves no event that could
      // race. So try timeouts wherever they are possible; sleep sets remove the repetitions.
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

  // The number of preemptions that choosing t at the node costs.
  std::int32_t cost(const Node& node, Tid t) {
    std::int32_t c = node.stay && t != node.current ? 1 : 0;
    bool others = false, expires = false;
    for (const Entry& e : entries(node)) {
      others |= !e.timeout;
      expires |= e.thread == t && e.timeout;
    }
    return c + (others && expires ? 1 : 0);
  }

  void add_backtrack_point(std::uint32_t node, std::uint32_t event, Tid thread) {
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
          return;  // this order is tried here, or an earlier decision covers it
        if (best == nullptr || e.thread == thread) best = &e;
      }
      if (best != nullptr) {
        best->backtrack = true;
        return;
      }
    }
    for (Entry& e : all) e.backtrack = true;
  }

  // Moves on to the next alternative to try.
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
  bool timeouts_ = false;  // some run had a wait that could time out early
  bool plain_ = false;     // search without reduction
  MmapVector<Node> nodes_;
  MmapVector<Entry> entries_;
  Trace trace_;
  Trace::Record record_;
  Races<Dfs> races_;
  bool old_ = false;  // the part of the run being read is the same as in the last run

  // State of the run.
  std::size_t at_ = 0;         // the next node
  std::size_t last_pick_ = 0;  // number of nodes up to the last decision between threads
  MmapVector<Entry> sleep_;
};

constinit Dfs the_dfs;

}  // namespace

Strategy* dfs_strategy(const StrategySettings& settings) {
  the_dfs.reset(settings.preemption_bound);
  return &the_dfs;
}

}  // namespace snag::rt
