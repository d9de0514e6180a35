// Expect: clean
// Run: --max-steps 20000
// Two threads pass a token and count. In half of the runs that takes more steps than a run may
// have, but it is no livelock: the count is another one in each round.
#include <atomic>
#include <thread>

std::atomic<int> turn, first{-1};
long rounds;

void Play(int me) {
  int nobody = -1;
  first.compare_exchange_strong(nobody, me);
  const int last = first == 0 ? 20'000 : 20;
  for (int i = 0; i < last; ++i) {
    while (turn != me) std::this_thread::yield();
    ++rounds;
    turn = 1 - me;
  }
}

int main() {
  std::thread a(Play, 0), b(Play, 1);
  a.join();
  b.join();
}
