// The connection handling of an FTP server, in the four versions of section 5.4 of the
// location-pairs paper (figures 15 to 18), without files and network: clients are scripted, replies
// are blank. Compiled with -DVERSION=<one of Version>.
//
//     ftp_server [connections] [no-timer | timer | early]
//
// A thread per connection executes Run; the thread of the timer closes all connections, without
// waiting for a time-out (`timer`), or even before they have begun (`early`), or not at all
// (`no-timer`). The bug is the use of a field that Close has set to null, a crash. l1 to l8 are the
// paper's names.
#include <semaphore.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

enum class Version {
  kOriginal,  // no lock but for the flag in Close: data races, and the bug
  kRaceFree,  // each access in a critical region of its own: no race, but still the bug
  kCoarse,    // Run and Close locked as a whole: no bug, but Close has to wait until Run is over
  kFixed,     // a critical region for each step, which begins by looking whether it is all over
};
constexpr Version kVersion = Version::VERSION;

constexpr int kCommands = 3;  // of each client; then the test is over, with the client connected

// What the fields point to. Nothing in them changes, so that all that is shared are the fields.
// For all that the compiler knows they change memory, so it reads a field again after each.
struct Request {
  int kind = 0;
  [[gnu::noinline]] void UpdateLastAccessTime() const { Use(kind); }
  [[gnu::noinline]] void Parse(int) const { Use(kind); }
  static void Use(int value) { asm volatile("" : : "r"(value) : "memory"); }
};
struct Writer {
  int kind = 0;
  [[gnu::noinline]] void Send(int) const { Request::Use(kind); }
};
struct Reader {
  int kind = 0;
  [[gnu::noinline]] int ReadLine(int command) const { return Request::Use(kind), command; }
};

const Request the_request;
const Writer the_writer;
const Reader the_reader;

sem_t entered;  // how many connections the timer may close

class RequestHandler {
 public:
  void Run() {
    if constexpr (kVersion == Version::kFixed) {
      RunInSteps();
    } else if constexpr (kVersion == Version::kCoarse) {
      std::lock_guard guard(lock_);
      RunToTheEnd();
    } else {
      RunToTheEnd();
    }
  }

  void Close() {
    if constexpr (kVersion == Version::kCoarse || kVersion == Version::kFixed) {
      std::lock_guard guard(lock_);
      if (is_connection_closed_) return;
      is_connection_closed_ = true;  // l5
      DropFields();
    } else {
      {
        std::lock_guard guard(lock_);
        if (is_connection_closed_) return;
        is_connection_closed_ = true;
      }
      DropFields();
    }
  }

 private:
  // An access to a field: in the race-free version in a critical region of its own.
  template <typename T>
  [[gnu::always_inline]] T Get(const T& field) {
    if constexpr (kVersion == Version::kRaceFree) {
      std::lock_guard guard(lock_);
      return field;
    } else {
      return field;
    }
  }
  template <typename T>
  [[gnu::always_inline]] void Set(T& field, T value) {
    if constexpr (kVersion == Version::kRaceFree) {
      std::lock_guard guard(lock_);
      field = value;
    } else {
      field = value;
    }
  }

  // Figure 15.
  [[gnu::always_inline]] void RunToTheEnd() {
    sem_post(&entered);
    Get(writer_)->Send(220);
    Set(reader_, &the_reader);
    int commands = 0;
    do {
      if (commands == kCommands) return;
      Get(request_)->UpdateLastAccessTime();
      const int command = Get(reader_)->ReadLine(commands++);
      Get(request_)->Parse(command);
      if (!HasPermission(command)) {
        Get(writer_)->Send(530);  // l1
        continue;
      }
      const Request* request = Get(request_);
      Service(request, Get(writer_));
    } while (!Get(is_connection_closed_));
    if (!Get(is_connection_closed_)) Close();
  }

  // Figure 18.
  [[gnu::always_inline]] void RunInSteps() {
    {
      std::lock_guard guard(lock_);
      if (is_connection_closed_) return;  // l6
      writer_->Send(220);
      reader_ = &the_reader;  // l7
    }
    sem_post(&entered);
    int commands = 0;
    do {
      if (commands == kCommands) return;
      int command;
      {
        std::lock_guard guard(lock_);
        if (is_connection_closed_) break;
        command = reader_->ReadLine(commands++);  // l4
        request_->UpdateLastAccessTime();
      }
      {
        std::lock_guard guard(lock_);
        if (is_connection_closed_) break;
        request_->Parse(command);
        if (!HasPermission(command)) {
          writer_->Send(530);
          continue;
        }
        Service(request_, writer_);
      }
    } while (!Closed());
    if (!Closed()) Close();
  }

  // Figure 16, from line 9 on.
  [[gnu::always_inline]] void DropFields() {
    const Request* disconnected = Get(request_);
    Disconnect(disconnected, Get(writer_));
    const Request* request = Get(request_);
    if (request != nullptr) Set<const Request*>(request_, nullptr);
    const Writer* writer = Get(writer_);
    if (writer != nullptr) Set<const Writer*>(writer_, nullptr);  // l2
    const Reader* reader = Get(reader_);                          // l8
    if (reader != nullptr) Set<const Reader*>(reader_, nullptr);  // l3
  }

  // The flag is volatile in the paper's fix; in C++ that takes a lock, or an atomic.
  [[gnu::always_inline]] bool Closed() {
    std::lock_guard guard(lock_);
    return is_connection_closed_;
  }

  [[gnu::noinline]] bool HasPermission(int command) { return command == 2; }
  [[gnu::noinline]] void Service(const Request* request, const Writer* writer) {
    request->Parse(0);
    writer->Send(200);
  }
  [[gnu::noinline]] void Disconnect(const Request* request, const Writer* writer) {
    request->Parse(0);
    writer->Send(221);
  }

  std::recursive_mutex lock_;  // as Java's are
  const Request* request_ = &the_request;
  const Writer* writer_ = &the_writer;
  const Reader* reader_ = nullptr;
  bool is_connection_closed_ = false;
};

void RunConnection(RequestHandler* connection) { connection->Run(); }

void RunTimer(std::deque<RequestHandler>* connections, bool early) {
  for (std::size_t i = 0; i < connections->size() && !early; ++i) sem_wait(&entered);
  for (RequestHandler& connection : *connections) connection.Close();
}

}  // namespace

int main(int argc, char** argv) {
  const int connection_count = argc > 1 ? std::atoi(argv[1]) : 2;
  const char* timer = argc > 2 ? argv[2] : "timer";
  sem_init(&entered, 0, 0);
  std::deque<RequestHandler> connections(connection_count);

  std::vector<std::thread> threads;
  for (RequestHandler& connection : connections) threads.emplace_back(RunConnection, &connection);
  if (std::strcmp(timer, "no-timer") != 0)
    threads.emplace_back(RunTimer, &connections, std::strcmp(timer, "early") == 0);
  for (std::thread& thread : threads) thread.join();
}
