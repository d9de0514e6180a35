// Expect: assert | signal
// clean/connection_pool.cc, where a client takes a connection also after a timeout, from an empty
// vector.
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
    cv_.wait_for(lock, std::chrono::milliseconds(5), [&] { return !idle_.empty(); });
    assert(!idle_.empty());
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
