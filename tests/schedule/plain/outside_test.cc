// Waiting for input, output and other processes counts as blocked.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cstdio>

#include "support.h"

namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }
  void put() const { EXPECT_EQ(write(ends[1], "x", 1), 1); }
};

// A socket that listens on the loopback interface, at a port of the kernel's choice.
struct Listener {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  Listener() {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(fd, 8), 0);
    socklen_t length = sizeof address;
    EXPECT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length), 0);
  }
  ~Listener() { close(fd); }
  int connected() const {
    const int client = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return client;
  }
};

}  // namespace

TEST(Outside, ReadFromPipe) {
  const Pipe pipe;
  char byte = 0;
  expect_blocked([&] { EXPECT_EQ(read(pipe.ends[0], &byte, 1), 1); }, [&] { pipe.put(); });
}
TEST(Outside, WriteToFullPipe) {
  const Pipe pipe;
  const std::string block(1 << 16, 'x');
  ASSERT_EQ(write(pipe.ends[1], block.data(), block.size()), ssize_t(block.size()));
  std::string taken(1 << 16, ' ');
  expect_blocked([&] { EXPECT_EQ(write(pipe.ends[1], "x", 1), 1); },
                 [&] { EXPECT_GT(read(pipe.ends[0], taken.data(), taken.size()), 0); });
}
TEST(Outside, Accept) {
  const Listener listener;
  int server = -1, client = -1;
  expect_blocked([&] { server = accept(listener.fd, nullptr, nullptr); },
                 [&] { client = listener.connected(); });
  char byte = 0;
  expect_blocked([&] { EXPECT_EQ(recv(server, &byte, 1, 0), 1); },
                 [&] { EXPECT_EQ(send(client, "x", 1, 0), 1); });
  close(server);
  close(client);
}
TEST(Outside, Poll) {
  const Pipe pipe;
  pollfd file{pipe.ends[0], POLLIN, 0};
  expect_blocked([&] { EXPECT_EQ(poll(&file, 1, -1), 1); }, [&] { pipe.put(); });
}
TEST(Outside, PollWithTimeLimit) {
  const Pipe pipe;
  pollfd file{pipe.ends[0], POLLIN, 0};
  expect_blocked([&] { EXPECT_EQ(poll(&file, 1, 3'600'000), 1); }, [&] { pipe.put(); });
}
TEST(Outside, Select) {
  const Pipe pipe;
  fd_set set;
  FD_ZERO(&set);
  FD_SET(pipe.ends[0], &set);
  expect_blocked([&] { EXPECT_EQ(select(pipe.ends[0] + 1, &set, nullptr, nullptr, nullptr), 1); },
                 [&] { pipe.put(); });
}
TEST(Outside, Epoll) {
  const Pipe pipe;
  const int fd = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  epoll_ctl(fd, EPOLL_CTL_ADD, pipe.ends[0], &event);
  expect_blocked([&] { EXPECT_EQ(epoll_wait(fd, &event, 1, -1), 1); }, [&] { pipe.put(); });
  close(fd);
}
TEST(Outside, Child) {
  const Pipe pipe;
  const pid_t child = fork();
  if (child == 0) {
    char byte = 0;
    _exit(read(pipe.ends[0], &byte, 1) == 1 ? 0 : 1);
  }
  int status = -1;
  expect_blocked([&] { EXPECT_EQ(waitpid(child, &status, 0), child); }, [&] { pipe.put(); });
  EXPECT_EQ(status, 0);
}
// Not interposed: libc reads by a call of its own. Found in the kernel.
TEST(Outside, StandardStream) {
  const Pipe pipe;
  FILE* stream = fdopen(dup(pipe.ends[0]), "r");
  expect_blocked([&] { EXPECT_EQ(getc(stream), 'x'); }, [&] { pipe.put(); });
  fclose(stream);
}
