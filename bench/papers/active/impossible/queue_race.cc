// kind: race
// Objects go through a queue: whoever has one has it alone.
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
struct Job {
  int input = 0, output = 0;
};
std::mutex lock;
std::deque<std::unique_ptr<Job>> jobs;
}  // namespace

int main() {
  std::thread producer([] {
    for (int i = 0; i < 3; ++i) {
      auto job = std::make_unique<Job>();
      job->input = i;
      Work(3);
      std::lock_guard guard(lock);
      jobs.push_back(std::move(job));
    }
  });
  std::thread consumer([] {
    for (int i = 0; i < 3;) {
      std::unique_ptr<Job> job;
      {
        std::lock_guard guard(lock);
        if (!jobs.empty()) {
          job = std::move(jobs.front());
          jobs.pop_front();
        }
      }
      if (!job) {
        std::this_thread::yield();
        continue;
      }
      job->output = job->input + 1;
      CHECK(job->output == i + 1);
      ++i;
    }
  });
  producer.join();
  consumer.join();
}
