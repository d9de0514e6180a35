// What the schedule leaves open is explored: the last ticket can be sold twice.
#include <snag/schedule.h>

#include <atomic>
#include <cassert>

int main() {
  std::atomic<int> left{0};
  snag::Schedule schedule("printed -> sells#*");
  const auto sell = [&] {
    SNAG_EVENT(sells);
    if (left > 0) {
      --left;
      assert(left >= 0);
    }
  };
  std::thread alice(sell), bob(sell);
  left = 1;
  SNAG_EVENT(printed);
  alice.join();
  bob.join();
}
