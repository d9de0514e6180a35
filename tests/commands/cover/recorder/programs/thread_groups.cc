// Group after group of new threads, each group with a variable of its own: what the threads of one
// group have done to theirs has the same histories as in other groups, whoever the threads are.
// (Otherwise there would soon be too many.)
//
// modes: free
// lp: A>A
// target: A>A
#include <cstdlib>
#include <thread>

constexpr int kGroups = 1100, kThreads = 4;

template <int kPlaces>
[[gnu::always_inline]] inline void set(volatile long* variable) {
  if constexpr (kPlaces > 0) {
    *variable = kPlaces;  // A
    set<kPlaces - 1>(variable);
  }
}

template <int kThread>
void group(volatile long* variable) {
  if constexpr (kThread > 0) {
    // (The argument makes these functions differ.)
    std::thread([variable] { set<100 + kThread>(variable); }).join();
    group<kThread - 1>(variable);
  }
}

int main() {
  for (int i = 0; i < kGroups; ++i) {
    auto* variable = static_cast<volatile long*>(std::malloc(sizeof(long)));
    group<kThreads>(variable);
    std::free(const_cast<long*>(variable));
  }
}
