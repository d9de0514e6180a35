// Names of threads are memory of the library, and are never reported as races.
#include <snag/schedule.h>

int main() {
  snag::Schedule schedule("one -> two");
  std::thread first([] {
    SNAG_THREAD(aNameThatIsTooLongForTheStringItself);
    SNAG_EVENT(one);
  });
  std::thread second([] {
    SNAG_THREAD(anotherNameThatTheScheduleDoesNotMention);
    SNAG_EVENT(two);
  });
  first.join();
  second.join();
}
