// A model of threaded programs for the tests of the strategies: threads are lists of operations,
// and the simulator drives a strategy through them exactly as the runtime does (pick, execute, log,
// learn). Test-only: ordinary C++.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "runtime/strategies/registry.h"

namespace snag::rt::sim {

struct Instr {
  OpKind kind;
  std::uint64_t object = 0;
  int value = 0;            // written; spawn and join: index of the program
  std::uint64_t mutex = 0;  // cond-wait: released meanwhile
  std::uint32_t choices =
      0;  // >= 2: the operation has that many outcomes; the chosen one goes to the register
  bool guarded = false;  // left out (without a step) if the register is 0
};
using Program = std::vector<Instr>;

inline Instr read(std::uint64_t x) { return {OpKind::kRead, x}; }
inline Instr write(std::uint64_t x, int v = 1) { return {OpKind::kWrite, x, v}; }
inline Instr lock(std::uint64_t m) { return {OpKind::kMutexLock, m}; }
inline Instr timed_lock(std::uint64_t m) { return {OpKind::kMutexTimedLock, m}; }
inline Instr unlock(std::uint64_t m) { return {OpKind::kMutexUnlock, m}; }
inline Instr spawn(int program) { return {OpKind::kThreadCreate, 0, program}; }
inline Instr join(int program) { return {OpKind::kThreadJoin, 0, program}; }
inline Instr yield() { return {OpKind::kYield}; }
inline Instr cond_wait(std::uint64_t c, std::uint64_t m) { return {OpKind::kCondWait, c, 0, m}; }
inline Instr signal(std::uint64_t c) { return {OpKind::kCondSignal, c}; }
inline Instr broadcast(std::uint64_t c) { return {OpKind::kCondBroadcast, c}; }
inline Instr choice(std::uint32_t n) {
  Instr i{OpKind::kEvent};
  i.choices = n;
  return i;
}
inline Instr guarded(Instr i) {
  i.guarded = true;
  return i;
}

class Execution;

struct Model {
  std::vector<Program> programs;  // 0 is main
  bool exit_kills = false;        // the end of main is the end of all
  std::function<bool(const Execution&)> bug = [](const Execution&) { return false; };
};

// One run of a model, step by step. Copyable, so that brute force can branch.
class Execution {
 public:
  struct Thread {
    int program;
    Tid creator;
    std::uint64_t code = 0;  // program counter of the first instruction
    std::size_t next = 0;    // instruction
    bool started = false, finished = false;
    bool waiting = false;    // in a cond-wait, not yet signalled
    bool reacquire = false;  // signalled: takes the mutex next
    int reg = 1;
    std::vector<int> reads;  // values seen, in order
  };

  explicit Execution(const Model& model) : model_(&model) {
    add(0, kNoTid);
    threads_[0].started = true;
    refresh();
  }

  // The thread takes its step. `choose` is asked where an operation has several outcomes; `started`
  // is told of threads.
  void step(Tid t, const std::function<std::uint32_t(std::uint32_t)>& choose,
            const std::function<void(Tid, Tid)>& started) {
    Op op = pending_[t];
    const bool expired = timeout_[t] != 0;
    if (current_ != t && is_enabled(current_) && timeout_[current_] == 0) ++preemptions_;
    if (expired && !all_timeouts()) ++preemptions_;
    execute(t, op, expired, choose, started);
    if (expired) op.kind = OpKind::kTimeout;
    log_.push_back({op.pc, op.object, t, op.kind, 0, 0});
    current_ = t;
    refresh();
  }

  bool over() const { return enabled_.empty(); }
  bool deadlock() const {
    return over() && !(model_->exit_kills && threads_[0].finished) &&
           std::any_of(threads_.begin(), threads_.end(), [](auto& t) { return !t.finished; });
  }
  World world() const {
    return {enabled_,
            current_,
            is_enabled(current_),
            log_.size(),
            pending_.data(),
            timeout_.data(),
            static_cast<std::uint32_t>(threads_.size())};
  }
  bool is_enabled(Tid t) const {
    return std::find(enabled_.begin(), enabled_.end(), t) != enabled_.end();
  }
  const std::vector<Tid>& enabled() const { return enabled_; }
  const std::vector<Step>& log() const { return log_; }
  const std::vector<Choice>& choices() const { return choices_; }
  const std::vector<Thread>& threads() const { return threads_; }
  const Model& model() const { return *model_; }
  int preemptions() const { return preemptions_; }
  // Values read by the (first) thread of a program.
  const std::vector<int>& reads(int program) const {
    static const std::vector<int> none;
    for (const Thread& t : threads_)
      if (t.program == program) return t.reads;
    return none;
  }

  // Two runs have the same partial order if and only if these are equal: for each step of each
  // thread what it was, and how many steps of every other thread happened before it.
  std::string partial_order() const {
    const std::size_t n = threads_.size();
    std::vector<std::vector<std::uint8_t>> clock(n, std::vector<std::uint8_t>(n));
    std::map<std::uint64_t, std::pair<std::vector<std::uint8_t>, std::vector<std::uint8_t>>>
        objects;                      // all, writes
    std::vector<std::string> out(n);  // compact: it is a key, nobody reads it
    auto merge = [n](std::vector<std::uint8_t>& into, const std::vector<std::uint8_t>& from) {
      into.resize(n);
      for (std::size_t i = 0; i < from.size(); ++i) into[i] = std::max(into[i], from[i]);
    };
    for (std::size_t at = 0; at < log_.size(); ++at) {
      const Step& s = log_[at];
      auto& mine = clock[s.thread];
      std::vector<std::pair<std::uint64_t, bool>> touches;  // object, writes
      if (s.object != 0 && op_access(s.kind) != '-')
        touches.push_back({s.object, op_access(s.kind) == 'w'});
      if (s.kind == OpKind::kThreadCreate)
        touches.push_back({~0ull, true});  // hands out the numbers
      if (s.kind == OpKind::kCondWait) touches.push_back({released_.at(at), true});
      for (auto [x, writes] : touches) merge(mine, writes ? objects[x].first : objects[x].second);
      ++mine[s.thread];
      for (auto [x, writes] : touches) {
        merge(objects[x].first, mine);
        if (writes) merge(objects[x].second, mine);
      }
      if (s.kind == OpKind::kThreadCreate) merge(clock[s.object - 1], mine);
      std::string& to = out[s.thread];
      to += static_cast<char>(s.kind);
      to.append(reinterpret_cast<const char*>(&s.object), sizeof s.object);
      to.append(mine.begin(), mine.end());
      for (const Choice& c : choices_)
        if (c.step == at) to += {'?', static_cast<char>(c.value)};
    }
    std::string all;
    for (auto& o : out)
      all += o + "|" + static_cast<char>(o.size()) + static_cast<char>(o.size() >> 8);
    return all;
  }

 private:
  static constexpr std::uint64_t kHandles = 0x7f0000000000;  // of threads

  void add(int program, Tid creator) {
    Thread t;
    t.program = program;
    t.creator = creator;
    t.code = code_of(model_->programs[program]);
    threads_.push_back(t);
  }

  // Where an operation stands in the source: the same for threads that execute the same code.
  static std::uint64_t code_of(const Program& p) {
    std::uint64_t code = 0;
    for (const Instr& i : p)
      code = mix64(code ^ i.object ^ (static_cast<std::uint64_t>(i.kind) << 56));
    return (code << 16) + 1;
  }

  const Instr* instr(const Thread& t) const {
    const Program& p = model_->programs[t.program];
    return t.next < p.size() ? &p[t.next] : nullptr;
  }

  Tid thread_of(int program) const {
    for (std::size_t t = 0; t < threads_.size(); ++t)
      if (threads_[t].program == program) return static_cast<Tid>(t);
    return kNoTid;
  }

  bool all_timeouts() const {
    return std::all_of(enabled_.begin(), enabled_.end(), [&](Tid t) { return timeout_[t] != 0; });
  }

  void execute(Tid t, Op& op, bool expired,
               const std::function<std::uint32_t(std::uint32_t)>& choose,
               const std::function<void(Tid, Tid)>& started) {
    Thread& thread = threads_[t];
    if (!thread.started) {
      thread.started = true;
      return;
    }
    const Instr* i = instr(thread);
    if (i == nullptr) {
      thread.finished = true;
      return;
    }
    auto ask = [&](std::uint32_t n) {
      const std::uint32_t v = choose(n);
      choices_.push_back({log_.size(), n, v});
      return v;
    };
    if (thread.reacquire) {
      thread.reacquire = false;
      owner_[i->mutex] = t;
      ++thread.next;
      return;
    }
    switch (i->kind) {
      case OpKind::kRead:
        thread.reads.push_back(thread.reg = memory_[i->object]);
        break;
      case OpKind::kWrite:
        memory_[i->object] = i->value;
        break;
      case OpKind::kMutexLock:
        owner_[i->object] = t;
        break;
      case OpKind::kMutexTimedLock:  // leaves in the register whether it got the lock
        if (!expired) owner_[i->object] = t;
        thread.reg = expired ? 0 : 1;
        break;
      case OpKind::kMutexUnlock:
        owner_.erase(i->object);
        break;
      case OpKind::kThreadCreate:
        op.object = threads_.size() + 1;
        add(i->value, t);
        ++threads_[t].next;
        started(static_cast<Tid>(threads_.size() - 1), t);
        return;
      case OpKind::kCondWait:
        released_[log_.size()] = i->mutex;
        owner_.erase(i->mutex);
        thread.waiting = true;
        return;
      case OpKind::kCondSignal:
      case OpKind::kCondBroadcast: {
        std::vector<Tid> waiters;
        for (std::size_t w = 0; w < threads_.size(); ++w) {
          if (threads_[w].waiting && instr(threads_[w])->object == i->object)
            waiters.push_back(static_cast<Tid>(w));
        }
        if (i->kind == OpKind::kCondSignal && waiters.size() > 1)
          waiters = {waiters[ask(static_cast<std::uint32_t>(waiters.size()))]};
        for (Tid w : waiters) threads_[w].waiting = false, threads_[w].reacquire = true;
        break;
      }
      default:
        break;
    }
    if (i->choices > 1) thread.reg = static_cast<int>(ask(i->choices));
    ++thread.next;
  }

  void refresh() {
    enabled_.clear();
    pending_.assign(threads_.size(), Op{});
    timeout_.assign(threads_.size(), 0);
    if (model_->exit_kills && threads_[0].finished) return;
    for (std::size_t n = 0; n < threads_.size(); ++n) {
      Thread& t = threads_[n];
      if (t.finished) continue;
      while (instr(t) != nullptr && instr(t)->guarded && t.reg == 0) ++t.next;
      const Instr* i = instr(t);
      bool enabled = true;
      if (!t.started) {
        pending_[n] = {OpKind::kThreadStart, 0, 0};
      } else if (i == nullptr) {
        pending_[n] = {OpKind::kThreadExit, kHandles + n, 0};
      } else if (t.reacquire) {
        pending_[n] = {OpKind::kMutexLock, i->mutex, 0};
        enabled = !owner_.contains(i->mutex);
      } else {
        pending_[n] = {i->kind, i->object, 0};
        if (t.waiting) enabled = false;
        if (i->kind == OpKind::kThreadJoin) {
          const Tid target = thread_of(i->value);
          pending_[n].object = kHandles + target;
          enabled = target != kNoTid && threads_[target].finished;
        } else if (i->kind == OpKind::kMutexLock) {
          enabled = !owner_.contains(i->object);
        } else if (i->kind == OpKind::kMutexTimedLock) {
          timeout_[n] = owner_.contains(i->object);
        }
      }
      pending_[n].pc = t.code + t.next;
      if (enabled) enabled_.push_back(static_cast<Tid>(n));
    }
  }

  const Model* model_;
  std::vector<Thread> threads_;
  std::vector<Tid> enabled_;
  std::vector<Op> pending_;
  std::vector<std::uint8_t> timeout_;
  std::vector<Step> log_;
  std::vector<Choice> choices_;
  std::map<std::uint64_t, int> memory_;
  std::map<std::uint64_t, Tid> owner_;
  std::map<std::uint64_t, std::uint64_t> released_;  // step of a cond-wait -> its mutex
  Tid current_ = 0;
  int preemptions_ = 0;
};

// One run under a strategy, as the runtime would make it.
inline Execution run(Strategy& strategy, const Model& model, RunPlan plan) {
  Execution e(model);
  strategy.begin(plan);
  while (!e.over()) {
    const World world = e.world();
    const Tid t = strategy.pick(world);
    if (!e.is_enabled(t)) {
      std::fprintf(stderr, "picked %u, which is not enabled\n", t);
      std::abort();
    }
    e.step(
        t, [&](std::uint32_t n) { return strategy.choose(e.world(), n); },
        [&](Tid child, Tid creator) { strategy.thread_started(child, creator); });
  }
  if (e.deadlock() && strategy.search != nullptr) strategy.search->stuck(e.world());
  return e;
}

inline void learn(Strategy& strategy, const Execution& e) {
  if (strategy.learner == nullptr) return;
  strategy.learner->learn(
      {e.log(), e.choices(), static_cast<std::uint32_t>(e.threads().size()), !e.deadlock()});
}

// Number of runs until the model's bug (or a deadlock) shows, limit + 1 if it does not.
inline int schedules_to_bug(Strategy& strategy, const Model& model, std::uint64_t seed, int limit) {
  for (int i = 0; i < limit; ++i) {
    const Execution e =
        run(strategy, model, {static_cast<std::uint64_t>(i), mix64(seed * 1000003 + i)});
    if (model.bug(e) || e.deadlock()) return i + 1;
    learn(strategy, e);
  }
  return limit + 1;
}

// The same for several seeds, sorted. Each trial has a process of its own, because strategies are
// made to live once.
inline std::vector<int> trials(Strategy& (*strategy)(), const Model& model, int count, int limit) {
  std::vector<int> results;
  for (int seed = 1; seed <= count; ++seed) {
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0) std::abort();
    const pid_t child = fork();
    if (child == 0) {
      const int result =
          schedules_to_bug(strategy(), model, static_cast<std::uint64_t>(seed), limit);
      _exit(::write(pipe_ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
    }
    int result = -1;
    close(pipe_ends[1]);
    if (::read(pipe_ends[0], &result, sizeof result) != sizeof result) std::abort();
    close(pipe_ends[0]);
    waitpid(child, nullptr, 0);
    results.push_back(result);
  }
  std::sort(results.begin(), results.end());
  return results;
}

// All partial orders that a model has, with the least number of preemptions each needs: by trying
// every schedule, except that the same beginning (as a partial order, with the same thread last and
// the same preemptions) goes on in the same way and is followed once. False: more than `limit`
// beginnings.
inline bool all_orders(const Model& model, std::map<std::string, int>& orders, std::size_t limit) {
  struct Search {
    std::map<std::string, int>& orders;
    std::size_t limit;
    std::unordered_set<std::string> seen;

    void visit(const Execution& e) {
      std::string order = e.partial_order();
      if (e.over()) {
        auto [at, fresh] = orders.try_emplace(order, e.preemptions());
        if (!fresh) at->second = std::min(at->second, e.preemptions());
        return;
      }
      order += static_cast<char>(e.preemptions());
      order += static_cast<char>(e.log().empty() ? 0 : e.log().back().thread);
      if (seen.size() > limit || !seen.insert(order).second) return;
      for (const Tid t : e.enabled()) branch(e, t, {});
    }
    // Outcomes of `choose` are enumerated by trying the step with ever longer prefixes of answers.
    void branch(const Execution& e, Tid t, std::vector<std::uint32_t> answers) {
      Execution next = e;
      std::size_t asked = 0;
      std::uint32_t open = 0;
      next.step(
          t,
          [&](std::uint32_t n) {
            if (asked < answers.size()) return answers[asked++];
            if (open == 0) open = n;
            return 0u;
          },
          [](Tid, Tid) {});
      if (open == 0) return visit(next);
      for (std::uint32_t v = 0; v < open; ++v) {
        answers.push_back(v);
        branch(e, t, answers);
        answers.pop_back();
      }
    }
  } search{orders, limit, {}};
  search.visit(Execution(model));
  return search.seen.size() <= limit;
}

}  // namespace snag::rt::sim
