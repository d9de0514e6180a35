// What was covered until the program dies is there; also what a child process covered.
//
// modes: free
// lp: A>B A>C
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

volatile long x;

int main() {
  x = 1;  // A
  if (fork() == 0) {
    std::thread([] { x = 2; }).join();  // B
    raise(SIGKILL);
  }
  wait(nullptr);
  std::thread([] {
    x = 3;  // C
    raise(SIGKILL);
  }).join();
}
