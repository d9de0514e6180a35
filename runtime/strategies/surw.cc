// Implements runtime/strategies/registry.h: the strategy surw.
#include <algorithm>
#include <array>

#include "runtime/base/arena.h"
#include "runtime/strategies/common.h"
#include "runtime/strategies/wait_budget.h"

namespace snag::rt {
namespace {

// What earlier runs revealed about the program: which objects threads share, and how often each
// thread accesses each of them. A hash table of (object, thread) pairs with open addressing; the
// pairs of an object form a linked list.
class AccessTable {
 public:
  struct Object {
    std::uint64_t address;
    std::uint32_t first_pair;  // + 1
    std::uint32_t last_seen;   // number of the observation
    std::uint32_t threads;     // number of threads that accessed it
    bool written;
    bool shared;  // accessed by at least two threads, one of which writes
  };
  struct Pair {
    std::uint32_t object;  // index
    Tid thread;
    bool wrote;
    std::uint32_t next;     // next pair of the same object, + 1
    std::uint32_t seen_in;  // the observation that `now` belongs to
    std::uint32_t now;      // accesses in that observation
    std::uint32_t count;    // estimated accesses per run
    std::uint64_t pc;       // of the first access
  };

  const MmapVector<std::uint32_t>& shared() const { return shared_; }
  const Object& object(std::uint32_t index) const { return objects_[index]; }
  const Pair& pair(std::uint32_t index) const { return pairs_[index]; }
  std::size_t pair_count() const { return pairs_.size(); }
  std::uint32_t observations() const { return observation_; }

  // Index + 1 of the object, 0 if it was never seen.
  std::uint32_t find(std::uint64_t address) const {
    if (object_slots_.empty()) return 0;
    for (std::size_t at = mix64(address);; ++at) {
      const std::uint32_t slot = object_slots_[at & (object_slots_.size() - 1)];
      if (slot == 0 || objects_[slot - 1].address == address) return slot;
    }
  }

  void observe(const RunLog& log) {
    // A program that keeps using new addresses would fill the memory: start over.
    if (pairs_.size() > kMaxPairs) reset();
    ++observation_;
    touched_.clear();
    for (const Step& step : log.steps) {
      if (step.object == 0 || !counts(step.kind)) continue;
      Pair& pair = pairs_[pair_of(step.object, step.thread)];
      if (pair.seen_in != observation_) {
        pair.seen_in = observation_;
        pair.now = 0;
        pair.pc = step.pc;
        objects_[pair.object].last_seen = observation_;
        touched_.push_back(static_cast<std::uint32_t>(&pair - pairs_.data()));
      }
      ++pair.now;
      if (op_access(step.kind) == 'w' && !pair.wrote) {
        pair.wrote = true;
        objects_[pair.object].written = true;
        note_sharing(pair.object);
      }
    }
    for (const std::uint32_t index : touched_) {
      // Raise the estimate at once; lower it slowly, and only after complete runs. A thread that
      // ended early this time may make all its accesses next time, and a weight that is too high
      // costs less than an order that never happens.
      Pair& pair = pairs_[index];
      if (pair.now >= pair.count) {
        pair.count = std::min(pair.now, kMaxCount);
      } else if (log.complete) {
        pair.count -= (pair.count - pair.now + 3) / 4;
      }
    }
  }

  // Operations worth ordering. The end of a thread and the join have only one order.
  static bool counts(OpKind kind) { return kCounts[static_cast<std::size_t>(kind)]; }

 private:
  static constexpr auto kCounts = [] {
    std::array<bool, static_cast<std::size_t>(OpKind::kCount)> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
      const auto kind = static_cast<OpKind>(i);
      result[i] =
          op_access(kind) != '-' && kind != OpKind::kThreadExit && kind != OpKind::kThreadJoin;
    }
    return result;
  }();
  static constexpr std::size_t kMaxPairs = 1 << 20;
  // A thread with more accesses than this mostly polls the object while it waits for threads with
  // fewer accesses. With its full weight it would keep them away in the next run, and poll even
  // longer.
  static constexpr std::uint32_t kMaxCount = 2048;

  std::uint32_t pair_of(std::uint64_t address, Tid thread) {
    if (pairs_.size() * 2 >= pair_slots_.size()) rehash_pairs();
    const std::size_t mask = pair_slots_.size() - 1;
    std::size_t at = hash(address, thread) & mask;
    while (const std::uint32_t slot = pair_slots_[at]) {
      const Pair& pair = pairs_[slot - 1];
      if (pair.thread == thread && objects_[pair.object].address == address) return slot - 1;
      at = (at + 1) & mask;
    }
    const std::uint32_t object = object_of(address);
    pairs_.push_back({object, thread, false, objects_[object].first_pair, 0, 0, 0, 0});
    const auto index = static_cast<std::uint32_t>(pairs_.size());
    pair_slots_[at] = index;
    objects_[object].first_pair = index;
    ++objects_[object].threads;
    note_sharing(object);
    return index - 1;
  }

  std::uint32_t object_of(std::uint64_t address) {
    if (const std::uint32_t found = find(address)) return found - 1;
    if ((objects_.size() + 1) * 2 >= object_slots_.size()) rehash_objects();
    objects_.push_back({address, 0, observation_, 0, false, false});
    insert_object(static_cast<std::uint32_t>(objects_.size()));
    return static_cast<std::uint32_t>(objects_.size() - 1);
  }

  void insert_object(std::uint32_t index) {
    std::size_t at = mix64(objects_[index - 1].address);
    while (object_slots_[at & (object_slots_.size() - 1)] != 0) ++at;
    object_slots_[at & (object_slots_.size() - 1)] = index;
  }

  void note_sharing(std::uint32_t index) {
    Object& object = objects_[index];
    if (object.shared || !object.written || object.threads < 2) return;
    object.shared = true;
    shared_.push_back(index);
  }

  static std::size_t hash(std::uint64_t address, Tid thread) {
    return mix64(address ^ (std::uint64_t{thread} << 48) ^ (std::uint64_t{thread} << 3));
  }

  static void clear_slots(MmapVector<std::uint32_t>& slots, std::size_t size) {
    slots.resize(size);
    std::fill(slots.begin(), slots.end(), 0);
  }

  void rehash_pairs() {
    clear_slots(pair_slots_, std::max<std::size_t>(1024, pair_slots_.size() * 2));
    for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
      std::size_t at = hash(objects_[pairs_[i].object].address, pairs_[i].thread);
      while (pair_slots_[at & (pair_slots_.size() - 1)] != 0) ++at;
      pair_slots_[at & (pair_slots_.size() - 1)] = i + 1;
    }
  }

  void rehash_objects() {
    clear_slots(object_slots_, std::max<std::size_t>(1024, object_slots_.size() * 2));
    for (std::uint32_t i = 1; i <= objects_.size(); ++i) insert_object(i);
  }

  void reset() {
    pairs_.clear();
    objects_.clear();
    shared_.clear();
    std::fill(pair_slots_.begin(), pair_slots_.end(), 0);
    std::fill(object_slots_.begin(), object_slots_.end(), 0);
  }

  MmapVector<Object> objects_;
  MmapVector<Pair> pairs_;
  MmapVector<std::uint32_t> object_slots_;  // index + 1, 0 is free; sizes are powers of two
  MmapVector<std::uint32_t> pair_slots_;
  MmapVector<std::uint32_t> shared_;
  MmapVector<std::uint32_t> touched_;
  std::uint32_t observation_ = 0;
};

// Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury; ASPLOS 2025).
//
// A program has far too many orders of steps to sample uniformly, and most of them are equivalent.
// So each run considers only a few *interesting* operations, such as those on one shared object,
// and samples the orders of these uniformly: the thread of the next interesting operation is drawn
// with a probability proportional to the number of interesting operations that the thread still has
// ahead. (A random walk treats a thread with one operation left like one with a hundred left. The
// weights make every interleaving equally likely.) The thread drawn is the *intended* thread. Other
// threads that arrive at an interesting operation wait; all other operations are scheduled by
// partial order sampling. After the interesting operation of the intended thread, the next thread
// is drawn.
//
// The number of operations that a thread has ahead is learned from earlier runs, in which threads
// are identified by their numbers. It includes the operations of the threads that it will create.
// A created thread takes its share along, and becomes the intended thread with the probability of
// that share. Missing or wrong knowledge does no harm: a pending interesting operation counts at
// least as one; if only waiting threads can run, or the intended thread does not reach an
// interesting operation for long, the next thread is drawn among the waiting ones; and a thread
// that ends takes its remaining weight out of the sum.
//
// Roles. If a hundred threads run the same code and one thread runs other code, uniform sampling
// lets that one thread go first in one run of a hundred, and that is often what a bug needs. So
// every second run gives each *role* the same total weight and samples uniformly within it. A role
// is the set of threads whose first interesting operation is at the same place in the program. (Not
// in the paper. On `reorder` and `twostage` with 100 threads it reduces the median from hundreds of
// runs to tens, and where all threads are alike it changes nothing.)
//
// The interesting operations are drawn for every run; see `Focus` for the kinds and their shares.
class Surw final : public Strategy, public Learner {
 public:
  constexpr Surw() : Strategy(StrategyKind::kSurw, this) {}

  void begin(const RunPlan& plan) override {
    random_ = Random(salted(plan.seed, kind));
    cache_.clear();
    priority_.clear();
    draw_focus();
    weigh();
    intended_ = 0;  // everything is still ahead of the main thread
    wait_budget_.begin();
  }

  Tid pick(const World& world) override {
    while (priority_.size() < world.thread_count) priority_.push_back(random_.next());
    std::uint64_t* const priority = priority_.data();
    const Op* const pending = world.pending;
    const Tid intended = intended_;
    Tid best = kNoTid;
    std::uint64_t best_priority = 0;
    for (const Tid t : world.enabled) {
      if (priority[t] >= best_priority && (t == intended || !interesting(t, pending[t]))) {
        best = t, best_priority = priority[t];
      }
    }
    bool may_count = best == intended;  // others were picked for an uninteresting operation
    if (__builtin_expect(wait_budget_.is_over(), 0)) {
      if (const std::span<const Tid> waiting = waiting_in(world); !waiting.empty()) {
        best = intended_ = draw(waiting);
        may_count = true;
        wait_budget_.shorten();
      }
    }
    if (best == kNoTid) {
      best = intended_ = draw(world.enabled);
      may_count = true;
    }
    const Op& op = pending[best];
    priority[best] = random_.next();
    if (op.object != 0) {
      for (const Tid t : world.enabled) {
        if (t != best && conflicts(op, pending[t])) priority[t] = random_.next();
      }
    }
    if (op.kind == OpKind::kThreadExit) {
      set_weight(best, 0);
      if (best == intended_) intended_ = draw_any();
    } else if (may_count && interesting(best, op)) {
      set_weight(best, weight(best) - std::min(weight(best), unit(best)));
      intended_ = draw_any();
      wait_budget_.renew();
    }
    return best;
  }

  std::uint32_t choose(const World&, std::uint32_t n) override { return random_.below(n); }

  void thread_started(Tid thread, Tid creator) override {
    if (thread >= ahead_.size() || creator >= ahead_.size() || thread == 0) return;
    const std::uint32_t before = weight(creator);
    const std::uint32_t share = std::min(ahead_[thread], before);
    set_weight(creator, before - share);
    set_weight(thread, ahead_[thread]);
    if (intended_ == creator && share != 0 && random_.below(before) < share) intended_ = thread;
  }

  void learn(const RunLog& log) override {
    // The counts settle within a few runs, and counting a long run costs about as much as the run
    // itself. So count all of the first runs, and later only some of the long ones.
    ++runs_;
    if (runs_ > kLearnAll && log.steps.size() > kShortRun && runs_ % kLearnEvery != 0) return;
    table_.observe(log);
    for (const Step& step : log.steps) {
      if (step.kind != OpKind::kThreadCreate || step.object == 0) continue;
      const std::uint64_t child = step.object - 1;
      if (child >= kMaxThreads || child <= step.thread) continue;
      while (creator_.size() <= child) creator_.push_back(kNoTid);
      creator_[child] = step.thread;
    }
    while (creator_.size() < log.thread_count) creator_.push_back(kNoTid);
  }

 private:
  static constexpr std::uint32_t kLearnAll = 16;
  static constexpr std::uint32_t kLearnEvery = 8;
  static constexpr std::size_t kShortRun = 4096;
  static constexpr std::uint32_t kRoleWeight = 1 << 20;
  static constexpr std::size_t kMaxRoles = 16;
  // An object that was not seen in this many observed runs is probably an address that the heap no
  // longer hands out.
  static constexpr std::uint32_t kStale = 8;

  // What is interesting in this run:
  //   kObject      4 of 8   one shared object: best for a race on it between few threads
  //   kLine        1 of 8   all objects in the same 64 bytes: fields of a structure belong together
  //   kEverything  3 of 8   all shared objects: best for locks, and where many threads meet
  // On the models of the tests the kinds differ by a factor of two in either direction, and the
  // combination is never much worse than the best of them.
  enum class Focus : std::uint8_t { kNothing, kObject, kLine, kEverything };

  void draw_focus() {
    focus_ = Focus::kNothing;
    const auto& shared = table_.shared();
    if (shared.empty()) return;
    const auto n = static_cast<std::uint32_t>(shared.size());
    std::uint32_t index = shared[random_.below(n)];
    for (int i = 0; i < 8 && table_.object(index).last_seen + kStale < table_.observations(); ++i) {
      index = shared[random_.below(n)];
    }
    target_ = table_.object(index).address;
    const std::uint32_t dice = random_.below(8);
    focus_ = dice < 4 ? Focus::kObject : dice < 5 ? Focus::kLine : Focus::kEverything;
  }

  bool in_focus(std::uint64_t object) const {
    switch (focus_) {
      case Focus::kNothing:
        return false;
      case Focus::kObject:
        return object == target_;
      case Focus::kLine:
        return object >> 6 == target_ >> 6;
      case Focus::kEverything: {
        const std::uint32_t found = table_.find(object);
        return found != 0 && table_.object(found - 1).shared;
      }
    }
    return false;
  }

  bool interesting(Tid thread, const Op& op) {
    if (op.object == 0 || !AccessTable::counts(op.kind)) return false;
    if (focus_ == Focus::kObject) return op.object == target_;
    if (__builtin_expect(cache_.size() <= thread, 0)) grow_cache(thread);
    Cached& cached = cache_[thread];
    if (cached.object != op.object) cached = {op.object, in_focus(op.object)};
    return cached.interesting;
  }

  __attribute__((noinline)) void grow_cache(Tid thread) {
    while (cache_.size() <= thread) cache_.push_back({0, false});
  }

  // The threads at an interesting operation that are not the intended thread.
  std::span<const Tid> waiting_in(const World& world) {
    waiting_.clear();
    for (const Tid t : world.enabled) {
      if (t != intended_ && interesting(t, world.pending[t])) waiting_.push_back(t);
    }
    return {waiting_.data(), waiting_.size()};
  }

  // Computes how many interesting operations each thread has ahead, including those of the threads
  // that it will create.
  void weigh() {
    ahead_.resize(std::max<std::size_t>(creator_.size(), 1));
    weight_.resize(ahead_.size());
    unit_.resize(ahead_.size());
    first_pc_.resize(ahead_.size());
    std::fill(ahead_.begin(), ahead_.end(), 0);
    std::fill(weight_.begin(), weight_.end(), 0);
    weight_sum_ = 0;
    std::fill(unit_.begin(), unit_.end(), 1);
    std::fill(first_pc_.begin(), first_pc_.end(), 0);
    if (focus_ == Focus::kNothing) return;
    if (focus_ == Focus::kObject) {
      add_object(table_.find(target_) - 1);
    } else {
      for (const std::uint32_t index : table_.shared()) {
        if (in_focus(table_.object(index).address)) add_object(index);
      }
    }
    if (random_.below(2) == 0) balance_roles();
    // From the last thread to the first, because a thread has a higher number than its creator.
    for (std::size_t t = ahead_.size() - 1; t > 0; --t) {
      const Tid creator = creator_[t];
      ahead_[creator < t ? creator : 0] += ahead_[t];
    }
    set_weight(0, ahead_[0]);
  }

  void add_object(std::uint32_t index) {
    for (std::uint32_t at = table_.object(index).first_pair; at != 0;
         at = table_.pair(at - 1).next) {
      const auto& pair = table_.pair(at - 1);
      if (pair.thread >= ahead_.size()) continue;
      ahead_[pair.thread] += pair.count;
      first_pc_[pair.thread] = pair.pc;
    }
  }

  // Scales the weights so that each role has a total of about kRoleWeight.
  void balance_roles() {
    roles_.clear();
    for (std::size_t t = 0; t < ahead_.size(); ++t) {
      if (ahead_[t] != 0) role(first_pc_[t]).total += ahead_[t];
    }
    if (roles_.size() < 2) return;
    for (std::size_t t = 0; t < ahead_.size(); ++t) {
      if (ahead_[t] == 0) continue;
      unit_[t] = std::max(1u, kRoleWeight / role(first_pc_[t]).total);
      ahead_[t] *= unit_[t];
    }
  }

  struct Role {
    std::uint64_t pc;
    std::uint32_t total;
  };
  Role& role(std::uint64_t pc) {
    for (Role& r : roles_) {
      if (r.pc == pc) return r;
    }
    // In a program with more roles the threads are mostly all different: nothing to balance.
    if (roles_.size() < kMaxRoles) roles_.push_back({pc, 0});
    return roles_.back();
  }

  std::uint32_t unit(Tid t) const { return t < unit_.size() ? unit_[t] : 1; }
  std::uint32_t weight(Tid t) const { return t < weight_.size() ? weight_[t] : 0; }
  void set_weight(Tid t, std::uint32_t value) {
    while (weight_.size() <= t) weight_.push_back(0);
    weight_sum_ += std::uint64_t{value} - weight_[t];
    weight_[t] = value;
  }

  // Draws one of `threads` by weight. Each counts as at least one operation.
  Tid draw(std::span<const Tid> threads) {
    std::uint64_t sum = 0;
    for (const Tid t : threads) sum += std::max(weight(t), unit(t));
    std::uint64_t at = random_.below_wide(sum);
    for (const Tid t : threads) {
      const std::uint32_t w = std::max(weight(t), unit(t));
      if (at < w) return t;
      at -= w;
    }
    return threads.back();
  }

  // Draws by weight among all threads, enabled or not.
  Tid draw_any() {
    if (weight_sum_ == 0) return kNoTid;
    std::uint64_t at = random_.below_wide(weight_sum_);
    const std::uint32_t* weight = weight_.data();
    for (std::size_t t = 0;; ++t) {
      if (at < weight[t]) return static_cast<Tid>(t);
      at -= weight[t];
    }
  }

  struct Cached {
    std::uint64_t object;
    bool interesting;
  };

  // State of the run.
  WaitBudget wait_budget_;
  MmapVector<Tid> waiting_;
  Random random_;
  Focus focus_ = Focus::kNothing;
  std::uint64_t target_ = 0;
  Tid intended_ = 0;
  MmapVector<std::uint32_t> ahead_;   // learned; fixed during the run
  MmapVector<std::uint32_t> weight_;  // the remaining part of it
  std::uint64_t weight_sum_ = 0;
  MmapVector<std::uint32_t> unit_;      // weight of one operation of each thread
  MmapVector<std::uint64_t> first_pc_;  // identifies the role of each thread
  MmapVector<Role> roles_;
  MmapVector<std::uint64_t> priority_;
  MmapVector<Cached> cache_;  // in_focus of each thread's pending operation

  // Learned.
  AccessTable table_;
  MmapVector<Tid> creator_;
  std::uint64_t runs_ = 0;
};

constinit Surw the_surw;

}  // namespace

Strategy* surw_strategy(const StrategySettings&) { return &the_surw; }

}  // namespace snag::rt
