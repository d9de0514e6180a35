// Expect: deadlock
// clean/event_loop.cc, where the loop takes the tasks before it reads the eventfd: a task that is
// posted in between is not run.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Loop {
 public:
  Loop() {
    epoll_event event = {};
    event.events = EPOLLIN;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event);
  }
  ~Loop() { close(epoll_), close(wake_); }
  void Post(std::function<void()> task) {
    {
      std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    std::uint64_t one = 1;
    assert(write(wake_, &one, sizeof one) == sizeof one);
  }
  void Run() {
    while (!stopped_) {
      epoll_event event;
      int count = epoll_wait(epoll_, &event, 1, -1);
      if (count < 0 && errno == EINTR) continue;
      std::uint64_t posted;
      std::vector<std::function<void()>> tasks;
      {
        std::lock_guard lock(mutex_);
        tasks.swap(tasks_);
      }
      assert(count == 1 && read(wake_, &posted, sizeof posted) == sizeof posted);
      for (auto& task : tasks) task();
    }
  }
  void Stop() { stopped_ = true; }  // by a task

 private:
  int epoll_ = epoll_create1(0), wake_ = eventfd(0, 0);
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;
  bool stopped_ = false;
};

int main() {
  Loop loop;
  int count = 0;  // only used by tasks
  auto post = [&] {
    for (int i = 0; i < 2; ++i)
      loop.Post([&] {
        if (++count == 4) loop.Stop();
      });
  };
  std::thread a(post), b(post);
  loop.Run();
  a.join();
  b.join();
  assert(count == 4);
}
