// An atomic that reads and writes is one access that writes; a compare-exchange that fails reads.
//
// modes: free control
// lp: A>B B>C D>E
// target: A>B A>C A>D B>A B>C B>D B>E C>A C>B C>E D>A D>B D>E E>B E>C E>D
// du: A>B B>C C>E
// du-target: A>B A>C A>D B>C B>D B>E C>B C>E E>B E>C E>D
#include <atomic>
#include <thread>

std::atomic<long> x;

int main() {
  x.store(1);  // A
  std::thread([] {
    x.fetch_add(1);  // B
  }).join();
  std::thread([] {
    x.exchange(5);  // C
    long wanted = 7;
    x.compare_exchange_strong(wanted, 8);  // D
  }).join();
  long wanted = 5;
  x.compare_exchange_strong(wanted, 9);  // E
}
