// Expect: clean
// Run: --runs 50
// A child of fork creates threads of its own, after main was the only thread.
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <mutex>
#include <thread>

int Count() {
  std::mutex mutex;
  int count = 0;
  auto body = [&] {
    std::lock_guard lock(mutex);
    ++count;
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  return count;
}

int main() {
  assert(Count() == 2);
  pid_t child = fork();
  if (child == 0) _exit(Count());
  assert(Count() == 2);
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 2);
}
