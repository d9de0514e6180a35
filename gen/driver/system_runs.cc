// Tests under the system's scheduler: threads that were made once wait for tests, and begin each
// at the same moment.
#include <sched.h>

#include <thread>

#include "gen/driver/worker.h"

namespace snag_gen {

using namespace snag::gen;

namespace {

// Long enough for the others to come on another core, short where there is none for them.
constexpr int kSpins = 2000;

template <class Condition>
void spin_until(Condition condition) {
  for (int i = 0; !condition(); ++i) {
    if (i < kSpins) {
      __builtin_ia32_pause();
    } else {
      sched_yield();
    }
  }
}

// The threads besides the worker's own one, which makes the first suffix.
class Pool {
 public:
  void run(Execution& execution, unsigned threads) {
    while (started_ < threads - 1) start();
    execution_ = &execution;
    threads_ = threads;
    arrived_.store(0, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    test_.fetch_add(1, std::memory_order_release);
    test_.notify_all();
    take_part(0);
    spin_until([&] { return done_.load(std::memory_order_acquire) == threads; });
  }

 private:
  void start() {
    const unsigned number = ++started_;
    std::uint32_t seen = test_.load();
    std::thread([this, number, seen]() mutable {
      for (;;) {
        for (int i = 0; i < kSpins && test_.load(std::memory_order_acquire) == seen; ++i)
          __builtin_ia32_pause();
        test_.wait(seen, std::memory_order_acquire);
        seen = test_.load(std::memory_order_acquire);
        if (number < threads_) take_part(number);
      }
    }).detach();
  }

  void take_part(unsigned number) {
    arrived_.fetch_add(1, std::memory_order_acq_rel);
    spin_until([&] { return arrived_.load(std::memory_order_acquire) >= threads_; });
    execution_->make_suffix(number);
    done_.fetch_add(1, std::memory_order_release);
  }

  Execution* execution_ = nullptr;
  unsigned threads_ = 0;
  unsigned started_ = 0;
  std::atomic<std::uint32_t> test_{0};
  std::atomic<unsigned> arrived_{0};
  std::atomic<unsigned> done_{0};
};

}  // namespace

void run_on_system(const Driver& driver, WorkerShared& shared) {
  static Pool* const pool = new Pool;  // its threads never end
  for (std::uint32_t number = shared.first; number < shared.tests; ++number) {
    shared.current.store(number, std::memory_order_release);
    shared.observing.store(0, std::memory_order_relaxed);
    const PlainTest& test = shared.test[number];
    Execution execution(driver, test, shared.live, shared.observers, shared.observer_count,
                        shared.ignored, &shared.clock);
    if (execution.prepare()) {
      pool->run(execution, test.threads);
      execution.observe(&shared.observing);
    }
    note_run(shared, number, execution);
    shared.result[number].end.store(EndKind::kFinished, std::memory_order_release);
  }
}

}  // namespace snag_gen
