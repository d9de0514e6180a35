// Implements tool/gen/driver/worker.h: tests under the system's scheduler. Threads are started
// once, wait for tests, and begin each test at the same moment.
#include <pthread.h>
#include <sched.h>

#include <thread>
#include <vector>

#include "arch/arch.h"
#include "tool/gen/driver/worker.h"

namespace snag_gen {

using namespace snag::gen;

namespace {

// Long enough for the others to get another core; short if there is none for them.
constexpr int kSpins = 2000;

template <class Condition>
void spin_until(Condition condition) {
  for (int i = 0; !condition(); ++i) {
    if (i < kSpins) {
      snag::relax_processor();
    } else {
      sched_yield();
    }
  }
}

// The threads besides the worker's own one, which makes the first suffix.
class Pool {
 public:
  // Threads that another one wakes tend to stay on its core, and then run after it, not next to it.
  // So for a batch of tests the worker's thread keeps its core to itself.
  void spread() {
    const int here = sched_getcpu();
    if (here < 0 || pthread_getaffinity_np(pthread_self(), sizeof all_, &all_) != 0) return;
    if (!CPU_ISSET(here, &all_) || CPU_COUNT(&all_) < 2) return;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(here, &own);
    others_ = all_;
    CPU_CLR(here, &others_);
    is_spread_ = pthread_setaffinity_np(pthread_self(), sizeof own, &own) == 0;
    for (const pthread_t thread : handles_) place(thread);
  }
  void unspread() {
    if (is_spread_) pthread_setaffinity_np(pthread_self(), sizeof all_, &all_);
    is_spread_ = false;
  }

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
    std::thread thread([this, number, seen]() mutable {
      for (;;) {
        for (int i = 0; i < kSpins && test_.load(std::memory_order_acquire) == seen; ++i)
          snag::relax_processor();
        test_.wait(seen, std::memory_order_acquire);
        seen = test_.load(std::memory_order_acquire);
        if (number < threads_) take_part(number);
      }
    });
    handles_.push_back(thread.native_handle());
    place(handles_.back());
    thread.detach();
  }

  void place(pthread_t thread) const {
    if (is_spread_) pthread_setaffinity_np(thread, sizeof others_, &others_);
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
  std::vector<pthread_t> handles_;
  bool is_spread_ = false;
  cpu_set_t all_ = {}, others_ = {};
  std::atomic<std::uint32_t> test_{0};
  std::atomic<unsigned> arrived_{0};
  std::atomic<unsigned> done_{0};
};

}  // namespace

void run_on_system(const Driver& driver, WorkerShared& shared) {
  static Pool* const pool = new Pool;  // its threads never end
  pool->spread();
  for (std::uint32_t number = shared.first; number < shared.tests; ++number) {
    shared.current.store(number, std::memory_order_release);
    shared.observing.store(0, std::memory_order_relaxed);
    shared.stage.store(Stage::kMaking, std::memory_order_relaxed);
    const PlainTest& test = shared.test[number];
    Execution execution(driver, test, shared.live,
                        {shared.observers, shared.observer_count, shared.ignored}, &shared.clock);
    if (execution.make_objects()) {
      shared.stage.store(Stage::kCalling, std::memory_order_relaxed);
      execution.make_prefix();
      pool->run(execution, test.threads);
      execution.observe(&shared.observing);
    }
    note_run(shared, number, execution);
    shared.stage.store(Stage::kEnding, std::memory_order_relaxed);
    shared.result[number].end.store(EndKind::kFinished, std::memory_order_release);
  }
  pool->unspread();
}

}  // namespace snag_gen
