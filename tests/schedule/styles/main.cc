// Runs the tests of one style. With --times it prints a line when a test begins, and one with its
// nanoseconds when it has ended, for scripts/bench.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstring>

namespace {

class Times : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override {
    std::printf("begin %s.%s\n", test.test_suite_name(), test.name());
    std::fflush(stdout);  // a test that hangs is to be known by its name
    start_ = std::chrono::steady_clock::now();
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    const auto time = std::chrono::steady_clock::now() - start_;
    std::printf("end %s.%s %lld %s\n", test.test_suite_name(), test.name(),
                static_cast<long long>(std::chrono::nanoseconds(time).count()),
                test.result()->Passed() ? "passed" : "failed");
    std::fflush(stdout);
  }

  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (part.failed()) std::fprintf(stderr, "%s\n", part.summary());
  }

  std::chrono::steady_clock::time_point start_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && std::strcmp(argv[1], "--times") == 0) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Times);
  }
  return RUN_ALL_TESTS();
}
