// The pool closes a connection that somebody has just taken from it: the lock protects the pool,
// not what is in it.
#include <mutex>
#include <thread>

struct Connection {
  int socket = 7;
  int sent = 0;
};

class Pool {
 public:
  void Open() { connection_ = new Connection; }
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
  Connection* connection_ = nullptr;
};

Pool pool;

void Send() {
  Connection* connection = pool.Get();
  if (connection == nullptr) return;
  connection->sent += 100;
}

int main() {
  pool.Open();
  std::thread client(Send);
  std::thread idle_timer([] { pool.Close(); });
  client.join();
  idle_timer.join();
}
