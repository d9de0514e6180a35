// snag-read-class: reads a class with Clang's front end, for snag gen, and prints what it found as
// JSON. An executable of its own, since loading Clang takes longer than most of snag's commands.
//
//   snag-read-class --class 'ns::Queue<int>' --header queue.h [--factory NAME] -- compile flags
//   snag-read-class --check driver.cc -- compile flags      (the lines that do not compile)
//
// Exit codes as those of snag: 2 if the header or the name is wrong, with a message.

#include <clang/AST/DeclTemplate.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string_view>

#include "tool/gen/reader/class_reader.h"
#include "tool/gen/reader/input.h"
#include "tool/gen/reader/scope_walk.h"
#include "tool/gen/reader/type_text.h"

namespace snag::gen::reader {
namespace {

constexpr int kExitUsage = 2;
constexpr const char* kAlias = "snag_class_under_test";

struct Arguments {
  Input input;
  std::string check;
};

bool parse(int argc, char** argv, Arguments& arguments) {
  arguments.input.resource_dir = SNAG_CLANG_RESOURCE_DIR;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--") {
      arguments.input.flags.assign(argv + i + 1, argv + argc);
      return true;
    }
    if (i + 1 >= argc) return false;
    const char* value = argv[++i];
    if (option == "--class") {
      arguments.input.class_name = value;
    } else if (option == "--header") {
      arguments.input.headers.emplace_back(value);
    } else if (option == "--factory") {
      arguments.input.factories.emplace_back(value);
    } else if (option == "--resource-dir") {
      arguments.input.resource_dir = value;
    } else if (option == "--check") {
      arguments.check = value;
    } else {
      return false;
    }
  }
  return true;
}

std::string include_line(const std::string& header) {
  const bool has_quotes = header.starts_with('<') || header.starts_with('"');
  return "#include " + (has_quotes ? header : '"' + header + '"') + "\n";
}

std::string without_arguments(std::string name) {
  name = name.substr(0, name.find('<'));
  if (name.starts_with("::")) name.erase(0, 2);
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

// Finds the class behind the alias, or says in `problem` why there is none.
clang::CXXRecordDecl* find_class(clang::Sema& sema, const Input& input, const Outcome& outcome,
                                 unsigned alias_line, std::string& problem) {
  clang::ASTContext& context = sema.getASTContext();
  for (const Diagnostic& error : outcome.errors) {
    if (!error.in_main || error.line < alias_line) {
      problem = outcome.printed;
      return nullptr;
    }
  }
  clang::QualType type;
  for (const clang::NamedDecl* found :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get(kAlias))) {
    if (const auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(found))
      type = alias->getUnderlyingType();
  }
  const std::string name = without_arguments(input.class_name);
  if (!outcome.errors.empty() || type.isNull()) {
    const std::vector<NearName> near = nearest_classes(context, name);
    const std::string said = outcome.errors.empty() ? "" : outcome.errors.front().text;
    if (!near.empty() && near.front().distance == 0) {
      problem =
          near.front().is_template && input.class_name.find('<') == std::string::npos
              ? "'" + name + "' is a class template: give it arguments, as in '" + name + "<int>'"
              : "'" + input.class_name + "' cannot be used: " + said;
    } else if (said.find("incomplete type") != std::string::npos) {
      problem = "'" + input.class_name +
                "' is only declared in these headers: name the header that defines it";
    } else {
      problem = "there is no class '" + name + "' in these headers";
      for (std::size_t i = 0; i < near.size() && i < 3; ++i)
        problem += (i == 0 ? "; did you mean '" : "', '") + near[i].name;
      problem += near.empty() ? "; check its namespace, or name the header that defines it" : "'?";
    }
    return nullptr;
  }
  clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (record == nullptr) {
    problem = "'" + input.class_name + "' is " +
              (type->isEnumeralType() ? "an enumeration" : type_text(type, context)) +
              " and not a class: there are no methods to call";
    return nullptr;
  }
  if (!sema.isCompleteType(record->getLocation(), type)) {
    const std::string& message = outcome.errors.empty() ? "" : outcome.printed;
    problem = !message.empty() ? message
                               : "'" + input.class_name +
                                     "' is only declared in these headers: name the header that "
                                     "defines it";
    return nullptr;
  }
  return record->getDefinition();
}

int read(const Input& input) {
  std::string text;
  for (const std::string& header : input.headers) text += include_line(header);
  text += std::string("using ") + kAlias + " = " + input.class_name + ";\n";
  const unsigned alias_line = static_cast<unsigned>(input.headers.size()) + 1;
  std::string problem;
  Json model;
  const auto visitor = [&](clang::Sema& sema, const Outcome& outcome) {
    clang::CXXRecordDecl* record = find_class(sema, input, outcome, alias_line, problem);
    if (record == nullptr) return;
    ClassReader reader(sema, *record);
    reader.add_factories(input.factories);
    model = reader.read();
    model["class"] = input.class_name;
    model["makers"] = functions_that_make(sema, *record);
  };
  const std::string path = (std::filesystem::current_path() / "snag-gen-input.cc").string();
  const Outcome outcome = read_text(path, text, input, visitor);
  if (model.is_null()) {
    // Errors before anything could be examined, or only in the instantiation of templates.
    if (problem.empty())
      problem = outcome.printed.empty() && !outcome.errors.empty() ? outcome.errors.front().text
                                                                   : outcome.printed;
    std::cerr << problem << (problem.ends_with('\n') ? "" : "\n");
    return kExitUsage;
  }
  std::cout << model.dump() << "\n";
  return 0;
}

int check(const Arguments& arguments) {
  std::ifstream file(arguments.check);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) {
    std::cerr << "cannot read '" << arguments.check << "'\n";
    return kExitUsage;
  }
  const Outcome outcome = read_text(arguments.check, text.str(), arguments.input, nullptr);
  Json errors = Json::array();
  for (const Diagnostic& error : outcome.errors) {
    errors.push_back({{"line", error.line},
                      {"text", error.text},
                      {"place", error.place},
                      {"notes", error.notes},
                      {"in_main", error.in_main}});
  }
  std::cout << errors.dump() << "\n";
  return 0;
}

int run(int argc, char** argv) {
  Arguments arguments;
  if (!parse(argc, argv, arguments) ||
      (arguments.check.empty() && arguments.input.class_name.empty())) {
    std::cerr << "usage: snag-read-class --class NAME --header FILE... -- compile flags\n";
    return kExitUsage;
  }
  return arguments.check.empty() ? read(arguments.input) : check(arguments);
}

}  // namespace
}  // namespace snag::gen::reader

int main(int argc, char** argv) {
  try {
    return snag::gen::reader::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "snag-read-class: internal error: %s\n", error.what());
    return 70;
  }
}
