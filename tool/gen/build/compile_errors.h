// Finds out which lines of the driver a compiler's or linker's messages are about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snag::gen {

struct CompileError {
  unsigned line = 0;  // of the driver; 0: not known
  std::string text;
  std::string unmade;     // the type of which no argument can be made, if that is the problem
  bool is_direct = true;  // at the line itself, not in a template that it needs
};

// What g++, clang++ or ld printed; `file` is the driver's name without folders.
std::vector<CompileError> parse_compiler_output(std::string_view printed, const std::string& file);

// What `snag-read-class --check` printed.
std::vector<CompileError> parse_check(std::string_view json);

// As one sentence, for the list of methods that were left out.
std::string readable_reason(const CompileError& error, bool is_template);

}  // namespace snag::gen
