// Walks over what the headers declare at namespace scope.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <functional>
#include <string>
#include <vector>

namespace snag::gen::reader {

void for_each_function(clang::ASTContext& context,
                       const std::function<void(const clang::FunctionDecl&)>& visit);

// Names of complete classes that derive from this one and can be made without arguments.
std::vector<std::string> concrete_classes_below(clang::ASTContext& context,
                                                const clang::CXXRecordDecl& base);

struct NearName {
  std::string name;
  std::size_t distance;  // 0: the same
  bool is_template;
};
// Classes, class templates and aliases with names similar to this one, the most similar first.
std::vector<NearName> nearest_classes(clang::ASTContext& context, const std::string& name);

}  // namespace snag::gen::reader
