// Types as C++ text that can be written anywhere: without typedefs, with all namespaces.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <string>

namespace snag::gen::reader {

// Template parameters of a member template become P0, P1 and so on, by their positions.
std::string type_text(clang::QualType type, const clang::ASTContext& context);

// A class or function with its namespaces, without template arguments of its own.
std::string qualified_name(const clang::NamedDecl& decl);

// const int& -> int; bare: also const Foo* -> Foo.
clang::QualType without_reference(clang::QualType type);
clang::QualType bare(clang::QualType type);

// The definition of the class that this type is, refers to or points to; or nullptr.
const clang::CXXRecordDecl* class_behind(clang::QualType type);

}  // namespace snag::gen::reader
