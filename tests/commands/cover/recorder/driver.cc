// Measures a program as the tool does, and prints everything it has recorded, one line each:
//
//   driver free|control [metrics=BITS] [context=N] [runs=N] -- program arguments
//
//   pair METRIC FLAGS COUNT FIRST SECOND
//   location SEEN PLACE
//   end RUN KIND
//   lost LOCATIONS PAIRS THREADS VARIABLES
//
// A place is an address in the executable, with those of its callers behind: 11a3/1204.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "protocol/coverage.h"
#include "tool/session/session.h"

using namespace snag;

namespace {

void run_freely(char** arguments, int descriptor) {
  const pid_t child = fork();
  if (child == 0) {
    setenv(kCoverVariable, std::to_string(descriptor).c_str(), 1);
    execv(arguments[0], arguments);
    _exit(127);
  }
  waitpid(child, nullptr, 0);
}

bool run_under_control(char** arguments, int descriptor, std::uint64_t runs) {
  Program program;
  program.path = arguments[0];
  for (char** argument = arguments; *argument; ++argument) program.argv.emplace_back(*argument);
  session::SessionOptions options;
  options.config.settings = without_checks();
  options.config.settings.strategy = StrategyKind::kRandom;
  options.config.settings.points = Points::kAll;
  options.config.settings.seed = 1;
  options.config.max_runs = runs;
  options.config.cover_fd = descriptor;
  auto started = session::Session::start(program, options);
  if (!started) {
    fmt::print(stderr, "{}\n", started.error().message);
    return false;
  }
  for (;;) {
    const session::Event event = (*started)->wait(milliseconds(50));
    if (event == session::Event::kFailed) (*started)->resume();
    if (event == session::Event::kFinished) return true;
    if (event == session::Event::kDied) {
      fmt::print(stderr, "{}\n", (*started)->error().message);
      return false;
    }
  }
}

std::string place(const CoverLocation& location) {
  std::string text = fmt::format("{:x}", location.pc);
  for (const ModulePc caller : location.callers) {
    if (caller != 0) text += fmt::format("/{:x}", caller);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const int descriptor = memfd_create("cover", 0);
  if (argc < 4 || descriptor < 0 || ftruncate(descriptor, sizeof(CoverStore)) != 0) return 70;
  auto* store = static_cast<CoverStore*>(mmap(nullptr, sizeof(CoverStore), PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_NORESERVE, descriptor, 0));
  store->magic = kCoverMagic;
  store->version = kCoverVersion;
  store->config.target = 1;
  store->config.metrics = metric_bit(Metric::kLocationPairs);
  std::uint64_t runs = 1;
  int i = 2;
  for (; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
    const std::string word = argv[i];
    const auto value = static_cast<std::uint32_t>(std::atoi(word.c_str() + word.find('=') + 1));
    if (word.starts_with("metrics=")) store->config.metrics = value;
    if (word.starts_with("context=")) store->config.context = value;
    if (word.starts_with("runs=")) runs = value;
  }
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  store->begin_ns = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
                    static_cast<std::uint64_t>(now.tv_nsec);
  const bool free = std::strcmp(argv[1], "free") == 0;
  if (free) run_freely(argv + i + 1, descriptor);
  if (!free && !run_under_control(argv + i + 1, descriptor, runs)) return 1;
  if (store->message[0] != 0) {
    fmt::print(stderr, "{}\n", store->message);
    return 1;
  }
  for (std::uint32_t p = 0; p < store->pair_count; ++p) {
    const CoverPair& pair = store->pairs[p];
    if (!pair.ready) continue;
    fmt::print("pair {} {} {} {} {}\n", static_cast<int>(pair.metric), pair.flags.load(),
               pair.count.load(), place(store->locations[pair.first]),
               place(store->locations[pair.second]));
  }
  for (std::uint32_t l = 1; l < store->location_count; ++l) {
    if (store->locations[l].ready)
      fmt::print("location {} {}\n", store->locations[l].seen.load(), place(store->locations[l]));
  }
  for (std::uint64_t run = 0; run < runs; ++run)
    fmt::print("end {} {}\n", run, store->runs[run].end.load());
  fmt::print("lost {} {} {} {}\n", store->lost_locations.load(), store->lost_pairs.load(),
             store->lost_threads.load(), store->lost_variables.load());
}
