// One thread checks before it takes the lock, the other changes in between only if it comes at the
// right moment; and one pair cannot be, since the thread that could do its second half is made by
// the one that did its first.
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
int early = 0;
int value = 0;

int look() {
  std::lock_guard lock(mutex);
  return value;  // looks
}

void change() {
  std::lock_guard lock(mutex);
  value = 2;  // changes
}

}  // namespace

int main() {
  early = 1;  // begins
  std::thread looker([] {
    if (early == 1) look();  // is told
  });
  std::thread changer(change);
  looker.join();
  changer.join();
}
