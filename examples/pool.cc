// The pool closes a connection that somebody has just taken from it: the lock protects the list, not
// what is in it.
#include <mutex>
#include <thread>

struct Connection {
  int descriptor = 7;
  int sent = 0;
};

class Pool {
 public:
  Connection* Get() {
    std::lock_guard lock(mutex_);
    return connection_;
  }
  void Close() {
    std::lock_guard lock(mutex_);
    delete connection_;
    connection_ = nullptr;
  }

 private:
  std::mutex mutex_;
  Connection* connection_ = new Connection;
};

Pool pool;

int main() {
  std::thread client([] {
    Connection* connection = pool.Get();
    if (connection != nullptr) connection->sent += 100;
  });
  std::thread idle_timer([] { pool.Close(); });
  client.join();
  idle_timer.join();
}
