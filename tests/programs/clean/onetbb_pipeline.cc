// Expect: clean
// Flags: -std=c++20 -ltbb
// A pipeline of oneTBB: items that one thread leaves to the next stage, in order.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <cassert>
#include <string>

namespace tbb = oneapi::tbb;

int main() {
  tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 3);
  int next = 0;
  std::string result;
  tbb::parallel_pipeline(
      2,
      tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                  [&](tbb::flow_control& control) {
                                    if (next == 5) control.stop();
                                    return next++;
                                  }) &
          tbb::make_filter<int, std::string>(
              tbb::filter_mode::parallel,
              [](int v) { return std::string(30, static_cast<char>('0' + v)); }) &
          tbb::make_filter<std::string, void>(tbb::filter_mode::serial_in_order,
                                              [&](const std::string& text) { result += text[0]; }));
  assert(result == "01234");
}
