#include "tool/gen/reader/scope_walk.h"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <map>

#include "tool/gen/reader/type_text.h"

namespace snag::gen::reader {
namespace {

using clang::Decl;
using clang::DeclContext;

// Enters classes, since nested classes count, but not functions.
void for_each_named(const DeclContext& scope,
                    const std::function<void(const clang::NamedDecl&)>& visit) {
  for (const Decl* decl : scope.decls()) {
    if (const auto* named = llvm::dyn_cast<clang::NamedDecl>(decl)) visit(*named);
    const bool is_class = llvm::isa<clang::CXXRecordDecl>(decl);
    if (llvm::isa<clang::NamespaceDecl>(decl) || llvm::isa<clang::LinkageSpecDecl>(decl) ||
        is_class) {
      for_each_named(*llvm::cast<DeclContext>(decl), visit);
    }
  }
}

bool is_class_name(const clang::NamedDecl& decl) {
  if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&decl))
    return !record->isInjectedClassName() && !record->isImplicit();
  return llvm::isa<clang::ClassTemplateDecl>(decl) || llvm::isa<clang::TypedefNameDecl>(decl) ||
         llvm::isa<clang::TypeAliasTemplateDecl>(decl);
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = std::tolower(a[i - 1]) == std::tolower(b[j - 1]);
      const std::size_t kept = diagonal + (a[i - 1] == b[j - 1] ? 0 : same ? 1 : 2);
      diagonal = row[j];
      row[j] = std::min({kept, row[j] + 2, row[j - 1] + 2});
    }
  }
  return row[b.size()];
}

std::string last_part(const std::string& name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

}  // namespace

void for_each_function(clang::ASTContext& context,
                       const std::function<void(const clang::FunctionDecl&)>& visit) {
  for_each_named(*context.getTranslationUnitDecl(), [&](const clang::NamedDecl& decl) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl);
    if (function != nullptr && !llvm::isa<clang::CXXMethodDecl>(function) &&
        function->isFirstDecl()) {
      visit(*function);
    }
  });
}

std::vector<std::string> concrete_classes_below(clang::ASTContext& context,
                                                const clang::CXXRecordDecl& base) {
  std::vector<std::string> found;
  for_each_named(*context.getTranslationUnitDecl(), [&](const clang::NamedDecl& decl) {
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&decl);
    if (record == nullptr || !record->isThisDeclarationADefinition() || record->isDependentType() ||
        record->isAbstract() || record->getAccess() == clang::AS_private ||
        record->getAccess() == clang::AS_protected || !record->isDerivedFrom(&base) ||
        !record->hasDefaultConstructor()) {
      return;
    }
    found.push_back(type_text(context.getRecordType(record), context));
  });
  return found;
}

std::vector<NearName> nearest_classes(clang::ASTContext& context, const std::string& name) {
  // A typing error costs 2, and so does the wrong namespace, whatever its length; a wrong case
  // costs 1.
  const std::string wanted = last_part(name);
  const std::size_t limit = std::max<std::size_t>(4, wanted.size() * 2 / 3);
  std::map<std::string, std::pair<std::size_t, bool>> distances;  // and whether it is a template
  for_each_named(*context.getTranslationUnitDecl(), [&](const clang::NamedDecl& decl) {
    if (!is_class_name(decl)) return;
    const std::string candidate = qualified_name(decl);
    const std::string last = last_part(candidate);
    if (last.empty() || (last[0] == '_' && wanted[0] != '_') ||
        candidate.find("(anonymous") != std::string::npos) {
      return;
    }
    const std::size_t whole = edit_distance(name, candidate);
    const std::size_t alone = edit_distance(wanted, last) + 2;
    const std::size_t distance = std::min(whole, alone);
    if (distance <= limit)
      distances.emplace(candidate, std::pair(distance, llvm::isa<clang::TemplateDecl>(decl)));
  });
  std::vector<NearName> found;
  for (const auto& [candidate, about] : distances)
    found.push_back({candidate, about.first, about.second});
  std::stable_sort(found.begin(), found.end(),
                   [](const NearName& a, const NearName& b) { return a.distance < b.distance; });
  return found;
}

}  // namespace snag::gen::reader
