// Expect: heap
// The reader may come after the owner has deleted what both can see.
#include <atomic>
#include <thread>

struct Session {
  int user = 7;
  int hits = 0;
};

std::atomic<Session*> current{nullptr};

int main() {
  current = new Session;
  std::thread reader([] {
    if (Session* session = current) session->hits += session->user;
  });
  std::thread owner([] { delete current.exchange(nullptr); });
  reader.join();
  owner.join();
}
