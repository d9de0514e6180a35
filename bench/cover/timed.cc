// Runs a program and prints what it took: processor seconds, largest memory in KiB, and with
// `cover` how many pairs were found: those of Metric::kLocationPairs with their target, as
// `snag cover` measures them.
//
//   timed [cover] -- program arguments
//
// The last line of the program's own output follows.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "protocol/coverage.h"

int main(int argc, char** argv) {
  using namespace snag;
  const bool covers = argc > 1 && std::strcmp(argv[1], "cover") == 0;
  char** program = argv + (covers ? 3 : 2);
  if (program >= argv + argc) return 70;
  const int descriptor = memfd_create("cover", 0);
  if (ftruncate(descriptor, sizeof(CoverStore)) != 0) return 70;
  auto* store = static_cast<CoverStore*>(mmap(nullptr, sizeof(CoverStore), PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_NORESERVE, descriptor, 0));
  store->magic = kCoverMagic;
  store->version = kCoverVersion;
  store->config.metrics = metric_bit(Metric::kLocationPairs) | metric_bit(Metric::kLines);
  store->config.target = 1;

  int output[2];
  if (pipe(output) != 0) return 70;
  const pid_t child = fork();
  if (child == 0) {
    dup2(output[1], 1);
    if (covers) setenv(kCoverVariable, std::to_string(descriptor).c_str(), 1);
    execvp(program[0], program);
    _exit(127);
  }
  close(output[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t size; (size = read(output[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(size));
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (status != 0) {
    std::fprintf(stderr, "timed: %s ended with status %d\n", program[0], status);
    return 1;
  }
  if (covers && store->pair_count == 0) {
    std::fprintf(stderr, "timed: nothing was measured: %s\n", store->message);
    return 1;
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  std::printf("%.6f %ld %u\n%s", seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss,
              store->pair_count.load(), text.c_str());
}
