// Expect: clean
// A pool of two connections for three clients: a handle gives its connection back in its
// destructor, also by an exception; a client that waits too long goes on without.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

struct Connection {
  int users = 0;
};

class Pool {
 public:
  auto Take() {
    auto give = [this](Connection* connection) {
      {
        std::lock_guard lock(mutex_);
        assert(--connection->users == 0);
        idle_.push_back(connection);
      }
      cv_.notify_one();
    };
    using Handle = std::unique_ptr<Connection, decltype(give)>;
    std::unique_lock lock(mutex_);
    if (!cv_.wait_for(lock, std::chrono::milliseconds(5), [&] { return !idle_.empty(); }))
      return Handle(nullptr, give);
    Connection* connection = idle_.back();
    idle_.pop_back();
    assert(++connection->users == 1);
    return Handle(connection, give);
  }
  std::size_t Idle() const { return idle_.size(); }

 private:
  std::mutex mutex_;
  std::condition_variable cv_;
  Connection connections_[2];
  std::vector<Connection*> idle_ = {&connections_[0], &connections_[1]};
};

int main() {
  Pool pool;
  auto client = [&](bool fails) {
    for (int i = 0; i < 2; ++i) try {
        auto connection = pool.Take();
        if (connection && fails) throw std::runtime_error("the query failed");
      } catch (const std::runtime_error&) {
      }
  };
  std::thread a(client, false), b(client, true), c(client, false);
  a.join();
  b.join();
  c.join();
  assert(pool.Idle() == 2);
}
