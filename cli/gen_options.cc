#include "cli/gen_options.h"

#include "gen/config_file.h"

namespace snag::cli {
namespace {

using engine::Expected;
using gen::GenOptions;

Expected<void> append(std::vector<std::string>& to, const std::string& text) {
  if (text.empty()) return engine::usage_error("must not be empty");
  to.push_back(text);
  return {};
}

template <auto Member>
Expected<void> add_to(GenSettings& settings, const std::string& text) {
  return append(settings.options.*Member, text);
}

template <auto Member>
Expected<void> set_in_options(GenSettings& settings, const std::string& text) {
  return set_text<Member>(settings.options, text);
}

Expected<void> add_pool(GenSettings& settings, const std::string& text) {
  auto pool = gen::parse_arg_pool(text);
  if (!pool) return tl::unexpected(pool.error());
  settings.options.pools.push_back(std::move(*pool));
  return {};
}

constexpr OptionRow<GenSettings> kOptions[] = {
    {"--class", "NAME", "the class to test, with its namespaces and template arguments",
     set_in_options<&GenOptions::class_name>},
    {"--header", "FILE", "header that defines it, as behind #include; may be given again",
     add_to<&GenOptions::headers>, true},
    {"-p", "DIR", "folder of a compile_commands.json; flags and headers are those of a source file",
     set_in_options<&GenOptions::compile_commands>},
    {"--config", "FILE", "configuration file, which may say all of this",
     set_text<&GenSettings::config>},
    {"--factory", "CODE", "how to make an object: a function, or an expression; may be given again",
     add_to<&GenOptions::factories>, true},
    {"--include", "PATTERN", "only methods that fit: 'push*'; may be given again",
     add_to<&GenOptions::include>, true},
    {"--exclude", "PATTERN", "no methods that fit; may be given again",
     add_to<&GenOptions::exclude>, true},
    {"--arg-pool", "TYPE=VALUES",
     "arguments to choose from: 'int=1,2' or 'resize.n=1,2'; may be given again", add_pool, true},
    {"--out", "DIR", "build the driver in this folder, and keep it",
     set_in_options<&GenOptions::folder>},
    {"--keep", nullptr, "keep the folder with the driver, and say where it is",
     set_flag<&GenSettings::keep>},
    {"--list", nullptr, "only list the methods that can be called, and those that cannot",
     set_flag<&GenSettings::list>},
    {"--json", nullptr, "the result as one JSON object on standard output",
     set_flag<&GenSettings::json>},
    {"--quiet", nullptr, "no progress on standard error", set_flag<&GenSettings::quiet>},
};

}  // namespace

std::span<const OptionRow<GenSettings>> gen_options() { return kOptions; }

Expected<void> check_together(const GenSettings& settings) {
  const GenOptions& options = settings.options;
  if (options.class_name.empty())
    return engine::usage_error(
        "no class was given: write --class 'ns::Queue<int>' --header queue.h");
  if (!options.compile_commands.empty() && options.source.empty())
    return engine::usage_error(
        "-p needs a source file of the project, as in -p build queue_test.cc");
  if (options.compile_commands.empty() && !options.source.empty()) {
    return engine::usage_error(fmt::format(
        "'{}' is no option: write --header {} for a header, and compiler flags behind --",
        options.source, options.source));
  }
  return {};
}

}  // namespace snag::cli
