#include "tool/gen/build/compile_input.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tool/base/json.h"
#include "tool/toolchain/compiler_args.h"

namespace snag::gen {
namespace {

namespace fs = std::filesystem;

Expected<std::string> read_file(const std::string& path, const char* what) {
  std::ifstream file(path);
  std::stringstream text;
  if (!file || !(text << file.rdbuf()))
    return usage_error(fmt::format("cannot read {} '{}'", what, path));
  return text.str();
}

std::vector<std::string> words_of(const nlohmann::json& entry) {
  if (entry.contains("arguments")) return entry.at("arguments").get<std::vector<std::string>>();
  return toolchain::split_response_file(entry.at("command").get<std::string>());
}

bool is_same_file(const fs::path& listed, const std::string& asked) {
  const fs::path wanted = fs::path(asked).lexically_normal();
  if (listed == wanted || listed == fs::absolute(wanted).lexically_normal()) return true;
  const std::string whole = listed.string();
  return whole.ends_with("/" + wanted.string());
}

}  // namespace

std::vector<std::string> included_headers(std::string_view source) {
  std::vector<std::string> headers;
  std::istringstream lines{std::string(source)};
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') continue;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line.compare(at, 7, "include") != 0) continue;
    at = line.find_first_of("<\"", at + 7);
    if (at == std::string::npos) continue;
    const std::size_t end = line.find(line[at] == '<' ? '>' : '"', at + 1);
    if (end != std::string::npos) headers.push_back(line.substr(at, end - at + 1));
  }
  return headers;
}

std::vector<std::string> without_outputs(const std::vector<std::string>& flags) {
  std::vector<std::string> kept;
  for (const toolchain::CompilerArg& arg : toolchain::parse_compiler_args(flags).args) {
    const std::string& first = arg.words[0];
    if (arg.role == toolchain::ArgRole::kOutput || arg.role == toolchain::ArgRole::kDependency ||
        arg.role == toolchain::ArgRole::kLto || first == "-c" || first == "-S" || first == "-E" ||
        first == "-fsyntax-only") {
      continue;
    }
    kept.insert(kept.end(), arg.words.begin(), arg.words.end());
  }
  return kept;
}

Expected<CompileInput> find_compile_command(std::string_view text, const std::string& source) {
  try {
    const nlohmann::json list = parse_json(text);
    for (const nlohmann::json& entry : list) {
      const fs::path directory = entry.at("directory").get<std::string>();
      const fs::path file = (directory / entry.at("file").get<std::string>()).lexically_normal();
      if (!is_same_file(file, source)) continue;
      CompileInput input;
      input.directory = directory.string();
      const std::vector<std::string> words = words_of(entry);
      if (words.empty()) continue;
      for (const toolchain::CompilerArg& arg :
           toolchain::parse_compiler_args({words.begin() + 1, words.end()}).args) {
        if (arg.role != toolchain::ArgRole::kSource)
          input.flags.insert(input.flags.end(), arg.words.begin(), arg.words.end());
      }
      input.flags = without_outputs(input.flags);
      // Its "..." includes are looked for in its own folder.
      input.flags.insert(input.flags.end(), {"-iquote", file.parent_path().string()});
      input.headers = {file.string()};
      return input;
    }
  } catch (const nlohmann::json::exception& error) {
    return usage_error(fmt::format("compile_commands.json cannot be read: {}", error.what()));
  }
  return usage_error(fmt::format(
      "compile_commands.json does not say how '{}' is compiled: name one of its files", source));
}

Expected<CompileInput> compile_input(const GenTarget& options) {
  CompileInput input;
  if (!options.compile_commands.empty()) {
    auto text =
        read_file(options.compile_commands + "/compile_commands.json", "the compilation database");
    if (!text) return tl::unexpected(text.error());
    auto found = find_compile_command(*text, options.source);
    if (!found) return found;
    auto source = read_file(found->headers[0], "the source file");
    if (!source) return tl::unexpected(source.error());
    input = std::move(*found);
    input.headers = included_headers(*source);
  }
  if (!options.headers.empty()) input.headers = options.headers;
  if (input.headers.empty())
    return usage_error("no header was given: write --header FILE, the one that defines the class");
  if (input.directory.empty()) input.directory = fs::current_path().string();
  // The driver is written elsewhere, and "queue.h" is meant as seen from here.
  const std::string here = fs::current_path().string();
  input.flags.insert(input.flags.end(), {"-iquote", here});
  const std::vector<std::string> own = without_outputs(options.flags);
  input.flags.insert(input.flags.end(), own.begin(), own.end());
  return input;
}

}  // namespace snag::gen
