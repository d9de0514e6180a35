// Understands the command line of a C or C++ compiler, as far as a wrapper must: which arguments
// are inputs, and what the compiler is going to do with them. Knows the options of gcc and of
// clang.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snag::toolchain {

// What the compiler does in the end.
enum class CompilerAction {
  kQuery,    // prints something about itself, or has nothing to work on: --version, -v alone
  kCompile,  // stops before linking: -c, -S, -E, -M, -fsyntax-only, a header to precompile
  kLink,     // links, and compiles before that if there are sources
};

enum class ArgRole {
  kOption,      // anything not below
  kSource,      // an input that is compiled; "-" is standard input
  kLinkInput,   // an object, an archive, a linker script, -lname
  kLanguage,    // -x lang, in one or two arguments
  kOutput,      // -o file, in one or two arguments
  kDependency,  // -MD, -MF file and so on: belongs to compiling, makes no sense in linking
  kLto,         // -flto and the options that depend on it
};

struct CompilerArg {
  ArgRole role;
  std::vector<std::string> words;  // one, or an option and its separate argument
  std::string language;            // kSource: the -x that applies, empty if the file's name decides
};

struct CompilerArgs {
  std::vector<CompilerArg> args;  // all arguments, in order
  CompilerAction action = CompilerAction::kQuery;
  std::string output;                   // of -o; empty: not given
  std::vector<std::string> sanitizers;  // switched on by -fsanitize= and not off again later
  bool shared = false;                  // -shared
  bool relocatable = false;             // -r
  bool dry_run = false;                 // -###
  std::string static_option;            // -static or -static-pie, when given
  bool gold = false;                    // -fuse-ld=gold
  bool fortify = false;                 // _FORTIFY_SOURCE is mentioned
  bool dependencies = false;            // -MD or -MMD
  bool dependency_file = false;         // -MF
  bool auxiliary_outputs = false;       // --coverage and others that write files next to the output

  int count(ArgRole role) const;
};

CompilerArgs parse_compiler_args(const std::vector<std::string>& args);

// Reads a response file; nothing when it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

// Replaces each @file by the arguments in that file, also within such files. Like the compilers,
// leaves @file as it is when there is no such file.
std::vector<std::string> expand_response_files(const std::vector<std::string>& args,
                                               const FileReader& read);

// The arguments in a response file: separated by white space, with quotes and backslashes as in
// gcc.
std::vector<std::string> split_response_file(std::string_view text);

// An argument written so that split_response_file, both compilers, CMake and a shell read it back
// unchanged.
std::string quote_argument(const std::string& arg);

}  // namespace snag::toolchain
