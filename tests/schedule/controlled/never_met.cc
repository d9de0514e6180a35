// The thread waits for what main does only when the thread has gone on.
#include <snag/schedule.h>

#include <future>

int main() {
  snag::Schedule schedule("took -> puts");
  std::promise<int> value;
  std::thread other([&] {
    SNAG_EVENT(puts);
    value.set_value(1);
  });
  value.get_future().wait();
  SNAG_EVENT(took);
  other.join();
}
