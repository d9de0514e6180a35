// What an event of a schedule costs, in a plain program: prints ns for each.
//
//   events none         no schedule is active
//   events unmentioned  one is, and does not mention the event
//   events mentioned    one does, and allows it
//   events lock         a free mutex, locked and unlocked, no schedule
//   events lock-active  the same while a schedule is active
#include <snag/schedule.h>

#include <cstring>
#include <memory>
#include <mutex>

#include "timing.h"

namespace {

constexpr int kMany = 20'000'000, kSome = 1'000'000;

template <class Work>
void measure(int count, Work work) {
  speed::Stretch stretch;
  for (int i = 0; i < count; ++i) work();
  stretch.stop();
  speed::print(stretch, count);
}

}  // namespace

int main(int count, char** arguments) {
  const char* what = count == 2 ? arguments[1] : "";
  std::mutex mutex;
  std::unique_ptr<snag::Schedule> schedule;
  if (std::strcmp(what, "unmentioned") == 0 || std::strcmp(what, "lock-active") == 0)
    schedule = std::make_unique<snag::Schedule>("start@main -> end_of_test");
  if (std::strcmp(what, "mentioned") == 0)
    schedule = std::make_unique<snag::Schedule>("start@main -> passes, passes -> end_of_test");
  if (std::strcmp(what, "mentioned") == 0)
    measure(kSome, [] { SNAG_EVENT(passes); });
  else if (std::strncmp(what, "lock", 4) == 0)
    measure(kMany, [&] { std::lock_guard lock(mutex); });
  else
    measure(kMany, [] { SNAG_EVENT(passes); });
  SNAG_EVENT(end_of_test);
}
