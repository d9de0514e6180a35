// Expect: clean
// Thread-local objects with constructors and destructors, one of which uses another one: each is
// made once in a thread that touches it, and all are gone when the threads have ended.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>
#include <vector>

std::atomic<int> made, alive;

struct Log {
  Log() { ++made, ++alive; }
  ~Log() { --alive; }
  std::vector<std::string> lines;
};
thread_local Log log_of_thread;

struct Session {
  Session() { log_of_thread.lines.push_back("the session of this thread has begun"), ++alive; }
  ~Session() { log_of_thread.lines.push_back("ended"), --alive; }
  int requests = 0;
};
thread_local Session session;

int main() {
  auto body = [](int requests) {
    for (int i = 0; i < requests; ++i) ++session.requests;
    if (requests > 0) assert(session.requests == requests && log_of_thread.lines.size() == 1);
  };
  std::thread a(body, 0), b(body, 1), c(body, 2);
  a.join();
  b.join();
  c.join();
  std::thread(body, 1).join();
  assert(made == 3 && alive == 0);
}
