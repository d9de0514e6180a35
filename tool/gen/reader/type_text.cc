#include "tool/gen/reader/type_text.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/PrettyPrinter.h>

#include <regex>

namespace snag::gen::reader {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

// Clang prints an explicit specialisation as it was declared, with names that mean nothing
// elsewhere.
bool has_explicit_specialization(clang::QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  const auto* record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (record == nullptr) return false;
  const bool is_explicit = record->getSpecializationKind() == clang::TSK_ExplicitSpecialization;
  for (const clang::TemplateArgument& argument : record->getTemplateArgs().asArray()) {
    if (argument.getKind() != clang::TemplateArgument::Type) continue;
    const clang::QualType inner = argument.getAsType();
    if ((is_explicit && inner->isRecordType()) || has_explicit_specialization(inner)) return true;
  }
  return false;
}

}  // namespace

std::string type_text(clang::QualType type, const clang::ASTContext& context) {
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.adjustForCPlusPlus();
  policy.FullyQualifiedName = true;
  policy.SuppressTagKeyword = true;
  policy.SuppressDefaultTemplateArgs = true;
  policy.PrintCanonicalTypes = has_explicit_specialization(type);
  policy.SuppressInlineNamespace = true;
  policy.SuppressUnwrittenScope = true;
  std::string text = type.getCanonicalType().getAsString(policy);
  replace_all(text, " &", "&");
  replace_all(text, " *", "*");
  for (const char* name : {"std::basic_string", "std::__cxx11::basic_string"}) {
    replace_all(text, std::string(name) + "<char>", "std::string");
    replace_all(text, std::string(name) + "<char, std::char_traits<char>, std::allocator<char>>",
                "std::string");
  }
  replace_all(text, "std::basic_string_view<char>", "std::string_view");
  replace_all(text, "std::basic_string_view<char, std::char_traits<char>>", "std::string_view");
  static const std::regex kParameter("type-parameter-[0-9]+-([0-9]+)");
  return std::regex_replace(text, kParameter, "P$1");
}

std::string qualified_name(const clang::NamedDecl& decl) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  clang::PrintingPolicy policy(decl.getASTContext().getLangOpts());
  policy.adjustForCPlusPlus();
  policy.SuppressInlineNamespace = true;
  policy.SuppressUnwrittenScope = true;
  decl.printQualifiedName(stream, policy);
  return stream.str();
}

clang::QualType without_reference(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

clang::QualType bare(clang::QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  return type.getCanonicalType().getUnqualifiedType();
}

const clang::CXXRecordDecl* class_behind(clang::QualType type) {
  const clang::CXXRecordDecl* record = bare(type)->getAsCXXRecordDecl();
  return record != nullptr && record->hasDefinition() ? record->getDefinition() : nullptr;
}

}  // namespace snag::gen::reader
