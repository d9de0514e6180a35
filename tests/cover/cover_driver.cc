// Starts a program with a store for its coverage, as `snag cover` does, and prints what it finds.
//
//   cover_driver [metric=lp,du,mp,cmp,sync] [target] [context=N] [runs=N] [control=...] -- program
//   args
//
// One line for each pair and each location, with locations as file:line (from the debug
// information, by addr2line of binutils).
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/cover_protocol.h"

int main(int argc, char** argv) {
  using namespace snag;
  const int descriptor = memfd_create("cover", 0);
  if (descriptor < 0 || ftruncate(descriptor, sizeof(CoverStore)) != 0) return 70;
  auto* store = static_cast<CoverStore*>(mmap(nullptr, sizeof(CoverStore), PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_NORESERVE, descriptor, 0));
  store->magic = kCoverMagic;
  store->version = kCoverVersion;
  store->config.metrics = metric_bit(Metric::kLocationPairs) | metric_bit(Metric::kLines);
  int i = 1;
  bool quiet = false;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    const std::string word = argv[i];
    if (word == "target") store->config.target = 1;
    if (word == "all") store->config.metrics = 0x3f;
    if (word == "quiet") quiet = true;
    if (word.rfind("context=", 0) == 0) store->config.context = std::atoi(word.c_str() + 8);
  }
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  store->begin_ns = now.tv_sec * 1'000'000'000ull + now.tv_nsec;
  const pid_t child = fork();
  if (child == 0) {
    setenv(kCoverVariable, std::to_string(descriptor).c_str(), 1);
    execv(argv[i + 1], argv + i + 1);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  std::fprintf(stderr, "status %d cpu %.3f rss %ld locations %u pairs %u lost %lu %lu %lu %lu %s\n",
               status,
               usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
                   1e-6 * (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
               usage.ru_maxrss, store->location_count.load(), store->pair_count.load(),
               store->lost_locations.load(), store->lost_pairs.load(), store->lost_threads.load(),
               store->lost_variables.load(), store->message);
  if (quiet) return 0;
  for (std::uint32_t p = 0; p < store->pair_count; ++p) {
    const CoverPair& pair = store->pairs[p];
    if (!pair.ready) continue;
    std::printf("%d %lx %lx flags %x\n", static_cast<int>(pair.metric),
                store->locations[pair.first].pc, store->locations[pair.second].pc,
                pair.flags.load());
  }
}
