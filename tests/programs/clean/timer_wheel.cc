// Expect: clean
// A timer wheel of eight slots that its thread turns by one slot a tick; entries may be cancelled
// until they fire, and each fires or is cancelled, never both.
#include <array>
#include <cassert>
#include <chrono>
#include <list>
#include <mutex>
#include <thread>

struct Entry {
  int id;
};

std::mutex mutex;
std::array<std::list<Entry>, 8> wheel;
int now, fired, cancelled;

void Arm(int id, int ticks) {
  std::lock_guard lock(mutex);
  wheel[(now + ticks) % 8].push_back({id});
}

void Cancel(int id) {
  std::lock_guard lock(mutex);
  for (auto& slot : wheel)
    cancelled += slot.remove_if([id](const Entry& entry) { return entry.id == id; });
}

int main() {
  for (int id = 1; id <= 3; ++id) Arm(id, id);
  std::thread wheel_thread([] {
    for (int tick = 0; tick < 7; ++tick) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::lock_guard lock(mutex);
      ++now;
      fired += wheel[now % 8].size();
      wheel[now % 8].clear();
    }
  });
  std::thread user([] {
    Cancel(2);
    Arm(4, 7);
    Cancel(4);
  });
  user.join();
  wheel_thread.join();
  assert(fired + cancelled == 4);
}
