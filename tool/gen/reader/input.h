// What snag-read-class is asked for, and a piece of C++ that Clang has read.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Sema/Sema.h>

#include <functional>
#include <string>
#include <vector>

namespace snag::gen::reader {

struct Input {
  std::string class_name;            // as the user wrote it
  std::vector<std::string> headers;  // as after #include, but without quotes or angle brackets
  std::vector<std::string> factories;
  std::vector<std::string> flags;  // the user's compiler flags, also those that Clang does not know
  std::string resource_dir;
};

struct Diagnostic {
  std::string text;      // the message alone
  bool in_main = false;  // at a line of the file that was read, not in one of its headers
  unsigned line = 0;     // there; or the line that led to the place
  std::string place;     // file:line of the place itself
  std::string notes;     // what follows it, a line each
};

struct Outcome {
  std::vector<Diagnostic> errors;
  std::string printed;  // what clang would have printed, errors only
};

// Reads `text` as the file `path`, which need not exist. Calls `visitor` at the end, even if there
// were errors.
using Visitor = std::function<void(clang::Sema&, const Outcome&)>;
Outcome read_text(const std::string& path, const std::string& text, const Input& input,
                  const Visitor& visitor);

// The flags without those that Clang does not know, and without those for outputs and linking.
std::vector<std::string> flags_for_clang(const std::vector<std::string>& flags);

}  // namespace snag::gen::reader
