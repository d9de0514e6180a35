#include "tool/cli/options/program_line.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/random.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "tool/binary/program_check.h"

namespace snag::cli {
namespace {

std::string absolute(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  return real != nullptr ? real.get() : path;
}

}  // namespace

Expected<NamedProgram> named_program(const std::vector<std::string>& command,
                                     const std::string& stdin_file, const char* usage) {
  if (command.empty()) return usage_error(fmt::format("no program was given: {}", usage));
  if (stdin_file == "-") {
    return usage_error(
        "--stdin '-' does not work: each run reads the input from its start, so put it into a "
        "file and name that");
  }
  auto path = find_program(command.front());
  if (!path) return tl::unexpected(path.error());
  if (auto checked = binary::check_program(*path); !checked) return tl::unexpected(checked.error());
  auto hash = binary::hash_file(*path);
  if (!hash) return tl::unexpected(hash.error());
  return NamedProgram{{absolute(*path), command, stdin_file.empty() ? "" : absolute(stdin_file)},
                      *hash};
}

void draw_seed(ChosenSettings& run) {
  if (run.given.seed) return;
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
    seed = static_cast<std::uint64_t>(getpid());
  run.values.seed = seed % 1'000'000'000;
}

void count_processors(ChosenSettings& run) {
  if (run.given.processors) return;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    run.values.processors = static_cast<std::uint32_t>(CPU_COUNT(&set));
}

}  // namespace snag::cli
