#include "tool/cli/options/gen_target_args.h"

#include "tool/gen/build/config_file.h"
#include "tool/gen/model/text_parts.h"

namespace snag::cli {
namespace {

using gen::GenTarget;

Expected<void> append(std::vector<std::string>& to, const std::string& text) {
  if (text.empty()) return usage_error("must not be empty");
  to.push_back(text);
  return {};
}

template <auto Member>
Expected<void> add_to(GenTargetArgs& input, const std::string& text) {
  return append(input.options.*Member, text);
}

template <auto Member>
Expected<void> set_in_options(GenTargetArgs& input, const std::string& text) {
  return set_text<Member>(input.options, text);
}

Expected<void> add_pool(GenTargetArgs& input, const std::string& text) {
  auto pool = gen::parse_arg_pool(text);
  if (!pool) return tl::unexpected(pool.error());
  input.options.pools.push_back(std::move(*pool));
  return {};
}

constexpr OptionRow<GenTargetArgs> kOptions[] = {
    {"--class", "NAME", "the class to test, with its namespaces and template arguments",
     set_in_options<&GenTarget::class_name>},
    {"--header", "FILE", "header that defines it, as after #include; may be given again",
     add_to<&GenTarget::headers>, true},
    {"-p,--compile-commands", "DIR",
     "folder of a compile_commands.json; flags and headers are those of a source file",
     set_in_options<&GenTarget::compile_commands>},
    {"--config", "FILE", "configuration file, which may say all of this",
     set_text<&GenTargetArgs::config>},
    {"--factory", "CODE", "how to make an object: a function, or an expression; may be given again",
     add_to<&GenTarget::factories>, true},
    {"--include", "PATTERN", "only methods that fit: 'push*'; may be given again",
     add_to<&GenTarget::include>, true},
    {"--exclude", "PATTERN", "no methods that fit; may be given again", add_to<&GenTarget::exclude>,
     true},
    {"--arg-pool", "TYPE=VALUES",
     "arguments to choose from: 'int=1,2' or 'resize.n=1,2'; may be given again", add_pool, true},
    {"--driver", "DIR", "build the driver in this folder, and keep it",
     set_in_options<&GenTarget::folder>},
    {"--keep", nullptr, "keep the folder with the driver, and say where it is",
     set_flag<&GenTargetArgs::keep>},
    {"--list", nullptr, "only list the methods that can be called, and those that cannot",
     set_flag<&GenTargetArgs::list>},
};

}  // namespace

std::span<const OptionRow<GenTargetArgs>> gen_target_options() { return kOptions; }

Expected<void> complete(GenTargetArgs& input, const SplitLine& line) {
  GenTarget& options = input.options;
  options.flags = line.tail;
  if (line.words.size() > 1)
    return usage_error(fmt::format("'{}' is one word too many", line.words[1]));
  if (!line.words.empty()) options.source = line.words[0];
  if (!input.config.empty()) {
    if (auto read = gen::read_config(input.config, options); !read) return read;
  }
  if (options.class_name.empty()) {
    return usage_error("no class was given: write --class 'ns::Queue<int>' --header queue.h");
  }
  if (const std::string problem = gen::class_name_problem(options.class_name); !problem.empty()) {
    return usage_error(
        fmt::format("--class '{}' is not the name of a class: {}", options.class_name, problem));
  }
  if (!options.compile_commands.empty() && options.source.empty()) {
    return usage_error("-p needs a source file of the project, as in -p build queue_test.cc");
  }
  if (options.compile_commands.empty() && !options.source.empty()) {
    return usage_error(fmt::format(
        "'{0}' is not an option: write --header {0} for a header, and compiler flags after --",
        options.source));
  }
  return {};
}

}  // namespace snag::cli
