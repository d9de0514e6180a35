// An exchange that fails writes what it found to the variable with the expected value.
//
// modes: free control
// lp: B>C
// target: A>C C>A B>C C>B
// du: B>C
#include <atomic>
#include <thread>

std::atomic<int> value{1};
int expected;

int main() {
  std::thread([] {
    expected = 0;                            // A
    value.compare_exchange_strong(expected,  // B
                                  2);
  }).join();
  const int found = expected;  // C
  return found == 1 ? 0 : 1;
}
