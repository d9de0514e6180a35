// Expect: clean
// A socket pair between threads: send, recv, readv, writev, MSG_PEEK, sendmsg, recvmsg, shutdown.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];

static void* server(void* unused) {
  char head[2], tail[2];
  struct iovec parts[2] = {{head, 2}, {tail, 2}};
  for (;;) {
    char first;
    ssize_t size = recv(ends[1], &first, 1, MSG_PEEK);
    assert(size >= 0);
    if (size == 0) break;
    assert(first == 'a');
    assert(readv(ends[1], parts, 2) == 4);
    assert(writev(ends[1], (struct iovec[]){{tail, 2}, {head, 2}}, 2) == 4);
  }
  assert(shutdown(ends[1], SHUT_WR) == 0);
  return unused;
}

int main(void) {
  assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, server, NULL);
  char reply[4];
  for (int i = 0; i < 2; ++i) {
    assert(send(ends[0], "abcd", 4, 0) == 4);
    assert(recv(ends[0], reply, 4, 0) == 4 && memcmp(reply, "cdab", 4) == 0);
  }
  char text[] = "abcd";
  struct iovec part = {text, 4};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  assert(sendmsg(ends[0], &message, 0) == 4);
  part.iov_base = reply;
  assert(recvmsg(ends[0], &message, 0) == 4 && memcmp(reply, "cdab", 4) == 0);
  assert(shutdown(ends[0], SHUT_WR) == 0);
  assert(recv(ends[0], reply, 4, 0) == 0);
  pthread_join(thread, NULL);
  close(ends[0]);
  close(ends[1]);
}
