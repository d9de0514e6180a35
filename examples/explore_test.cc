// The last ticket can be sold twice: another buyer may come between the check and the sale.
#include <snag/gtest.h>

#include <atomic>
#include <thread>

class Tickets {
 public:
  explicit Tickets(int count) : left_(count) {}

  bool Sell() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }

 private:
  std::atomic<int> left_;
};

TEST(Tickets, TheLastOneIsSoldOnce) {
  snag::explore_test({.runs = 1000}, [] {
    Tickets tickets(1);
    std::atomic<int> sold = 0;
    auto buy = [&] {
      if (tickets.Sell()) ++sold;
    };
    std::thread alice(buy), bob(buy);
    alice.join();
    bob.join();
    EXPECT_EQ(sold, 1);
  });
}
