// Expect: clean
// Actors with mailboxes that many threads may fill: a message that comes to an idle actor schedules
// it; only one worker runs an actor at a time, so that its state needs no lock.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

struct Actor {
  std::mutex mutex;
  std::deque<int> mailbox;
  bool scheduled = false;
  int total = 0;  // only used by the worker that runs it
};

std::mutex mutex;
std::condition_variable cv;
std::deque<Actor*> ready;
int messages_left = 6;

void Send(Actor& actor, int message) {
  std::lock_guard lock(actor.mutex);
  actor.mailbox.push_back(message);
  if (actor.scheduled) return;
  actor.scheduled = true;
  std::lock_guard ready_lock(mutex);
  ready.push_back(&actor);
  cv.notify_one();
}

void Run(Actor& actor) {
  for (;;) {
    int message;
    {
      std::lock_guard lock(actor.mutex);
      if (actor.mailbox.empty()) {
        actor.scheduled = false;
        return;
      }
      message = actor.mailbox.front();
      actor.mailbox.pop_front();
    }
    actor.total += message;
    std::lock_guard lock(mutex);
    if (--messages_left == 0) cv.notify_all();
  }
}

void Work() {
  std::unique_lock lock(mutex);
  for (;;) {
    cv.wait(lock, [] { return !ready.empty() || messages_left == 0; });
    if (ready.empty()) return;
    Actor* actor = ready.front();
    ready.pop_front();
    lock.unlock();
    Run(*actor);
    lock.lock();
  }
}

int main() {
  Actor actors[2];
  auto send = [&](int message) {
    for (int i = 0; i < 3; ++i) Send(actors[i % 2], message);
  };
  std::thread a(Work), b(Work), c(send, 1), d(send, 10);
  a.join();
  b.join();
  c.join();
  d.join();
  assert(actors[0].total == 22 && actors[1].total == 11);
}
