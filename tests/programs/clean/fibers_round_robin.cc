// Expect: clean
// Fibers on ucontext: each of two threads switches between three fibers of its own by turns, and
// the fibers of both threads add to one sum under a mutex.
#include <ucontext.h>

#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Fibers {
 public:
  void Add(int rounds) {
    auto fiber = std::make_unique<Fiber>();
    fiber->rounds = rounds;
    getcontext(&fiber->context);
    fiber->context.uc_stack.ss_sp = fiber->stack.data();
    fiber->context.uc_stack.ss_size = fiber->stack.size();
    fiber->context.uc_link = &scheduler_;
    makecontext(&fiber->context, reinterpret_cast<void (*)()>(&Fibers::Main), 0);
    fibers_.push_back(std::move(fiber));
  }
  void Run() {
    self = this;
    for (bool any = true; any;) {
      any = false;
      for (auto& fiber : fibers_) {
        if (fiber->done) continue;
        any = true;
        current_ = fiber.get();
        swapcontext(&scheduler_, &current_->context);
      }
    }
  }
  static inline int sum;

 private:
  struct Fiber {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(64 << 10);
    int rounds = 0;
    bool done = false;
  };
  static void Main() {
    Fibers* fibers = self;
    Fiber* fiber = fibers->current_;
    for (int i = 0; i < fiber->rounds; ++i) {
      {
        std::lock_guard lock(mutex);
        ++sum;
      }
      swapcontext(&fiber->context, &fibers->scheduler_);
    }
    fiber->done = true;
  }
  static inline thread_local Fibers* self;
  static inline std::mutex mutex;
  ucontext_t scheduler_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  Fiber* current_ = nullptr;
};

int main() {
  auto body = [] {
    Fibers fibers;
    for (int i = 1; i <= 3; ++i) fibers.Add(i);
    fibers.Run();
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(Fibers::sum == 12);
}
