// Where the headers and flags come from: the command line, or a compile_commands.json.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/base/error.h"
#include "tool/gen/model/gen_target.h"

namespace snag::gen {

struct CompileInput {
  std::vector<std::string> headers;
  std::vector<std::string> flags;  // for compiling and linking, without outputs
  std::string directory;           // where the compiler is to run
};

Expected<CompileInput> compile_input(const GenTarget& options);

// The entry of a compile_commands.json for a source, whose path may be any suffix.
Expected<CompileInput> find_compile_command(std::string_view json, const std::string& source);

// What follows each #include.
std::vector<std::string> included_headers(std::string_view source);

// Without -c, -o and the options for further output files.
std::vector<std::string> without_outputs(const std::vector<std::string>& flags);

}  // namespace snag::gen
