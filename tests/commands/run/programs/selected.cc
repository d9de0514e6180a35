// A test of GoogleTest, and an environment that starts threads although no test is selected.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

std::atomic<int> value;

struct Threads : testing::Environment {
  void SetUp() override {
    std::thread a([] { ++value; }), b([] { ++value; });
    a.join();
    b.join();
  }
};

TEST(Counter, Counts) { EXPECT_EQ(++value, 3); }

int main(int argc, char** argv) {
  std::thread([] { ++value; }).join();
  value = 0;
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new Threads);
  return RUN_ALL_TESTS();
}
