#include "tool/gen/reader/class_reader.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Sema/Lookup.h>

#include <filesystem>

#include "tool/gen/reader/scope_walk.h"
#include "tool/gen/reader/type_text.h"

namespace snag::gen::reader {
namespace {

using clang::CXXRecordDecl;
using clang::QualType;

// T for T, T*, T&, std::unique_ptr<T> and std::shared_ptr<T>.
const CXXRecordDecl* class_made(QualType result) {
  if (const CXXRecordDecl* record = result.getNonReferenceType()->getAsCXXRecordDecl()) {
    const auto* smart = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    const bool is_smart = smart != nullptr && smart->isInStdNamespace() &&
                          (smart->getName() == "unique_ptr" || smart->getName() == "shared_ptr");
    if (!is_smart) return record->getCanonicalDecl();
    const clang::TemplateArgument& element = smart->getTemplateArgs()[0];
    if (element.getKind() != clang::TemplateArgument::Type) return nullptr;
    record = element.getAsType()->getAsCXXRecordDecl();
    return record != nullptr ? record->getCanonicalDecl() : nullptr;
  }
  if (!result->isPointerType()) return nullptr;
  const CXXRecordDecl* record = result->getPointeeType()->getAsCXXRecordDecl();
  return record != nullptr ? record->getCanonicalDecl() : nullptr;
}

// As a person writes it where there is a choice: size_t, not unsigned long.
const char* kind_of(QualType type) {
  type = type.getNonReferenceType();
  if (type->isDependentType()) return "dependent";
  if (type->isBooleanType()) return "bool";
  if (type->isEnumeralType()) return "enum";
  if (type->isIntegerType()) return "integer";
  if (type->isFloatingType()) return "real";
  if (type->isPointerType()) {
    const QualType to = type->getPointeeType();
    if (to->isAnyCharacterType()) return "text";
    if (to->isVoidType() || to->isArithmeticType()) return "buffer";
    return "pointer";
  }
  if (type->isRecordType()) return "class";
  return "other";
}

}  // namespace

ClassReader::ClassReader(clang::Sema& sema, CXXRecordDecl& record)
    : sema_(sema), context_(sema.getASTContext()), record_(record) {
  find_iterators();
  find_candidates();
}

void ClassReader::find_iterators() {
  for (const std::string name : {"iterator", "const_iterator"}) {
    clang::LookupResult found(sema_, &context_.Idents.get(name), record_.getLocation(),
                              clang::Sema::LookupMemberName);
    found.suppressDiagnostics();
    if (!sema_.LookupQualifiedName(found, &record_) || !found.isSingleResult()) continue;
    if (const auto* type = llvm::dyn_cast<clang::TypeDecl>(found.getFoundDecl()))
      iterators_.emplace(type_text(without_reference(context_.getTypeDeclType(type)), context_),
                         name == "const_iterator");
  }
}

void ClassReader::find_candidates() {
  const auto add = [&](QualType type) {
    if (type->isDependentType() || type->isVoidType() || type->isFunctionType()) return;
    const Json text = type_text(type.getNonReferenceType().getUnqualifiedType(), context_);
    if (std::find(candidates_.begin(), candidates_.end(), text) == candidates_.end())
      candidates_.push_back(text);
  };
  for (const char* name : {"value_type", "key_type", "mapped_type", "element_type"}) {
    clang::LookupResult found(sema_, &context_.Idents.get(name), record_.getLocation(),
                              clang::Sema::LookupMemberName);
    found.suppressDiagnostics();
    if (!sema_.LookupQualifiedName(found, &record_) || !found.isSingleResult()) continue;
    if (const auto* type = llvm::dyn_cast<clang::TypeDecl>(found.getFoundDecl()))
      add(context_.getTypeDeclType(type));
  }
  const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record_);
  if (instance == nullptr) return;
  for (const clang::TemplateArgument& argument : instance->getTemplateArgs().asArray()) {
    if (argument.getKind() == clang::TemplateArgument::Type)
      class_arguments_.push_back(type_text(argument.getAsType(), context_));
  }
  // Only the arguments that were given, not the allocators and comparisons behind them.
  const unsigned required =
      instance->getSpecializedTemplate()->getTemplateParameters()->getMinRequiredArguments();
  for (unsigned i = 0; i < instance->getTemplateArgs().size() && i < std::max(required, 1u); ++i) {
    const clang::TemplateArgument& argument = instance->getTemplateArgs()[i];
    if (argument.getKind() == clang::TemplateArgument::Type) add(argument.getAsType());
  }
}

bool ClassReader::is_under_test(QualType type) const {
  const CXXRecordDecl* record = class_behind(type);
  return record != nullptr && record->getCanonicalDecl() == record_.getCanonicalDecl();
}

// A token or guard: it can only be made from the object, so it is made from the one that is called.
bool ClassReader::belongs_to_object(const CXXRecordDecl& record) const {
  if (record.getCanonicalDecl() == record_.getCanonicalDecl()) return false;
  bool from_object = false;
  for (const clang::Decl* decl : record.decls()) {
    const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl);
    const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(
        pattern != nullptr ? pattern->getTemplatedDecl() : decl);
    if (constructor == nullptr || constructor->getAccess() != clang::AS_public ||
        constructor->isDeleted()) {
      continue;
    }
    if (constructor->getMinRequiredArguments() == 0) return false;
    if (constructor->getMinRequiredArguments() == 1 &&
        refers_to_class(constructor->getParamDecl(0)->getType())) {
      from_object = true;
    }
  }
  return from_object;
}

// Also as a pattern: Queue<U>& in a template of a class Token that is not a template itself.
bool ClassReader::refers_to_class(QualType type) const {
  if (!type->isReferenceType()) return false;
  if (is_under_test(type)) return true;
  const auto* pattern = type.getNonReferenceType()->getAs<clang::TemplateSpecializationType>();
  const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record_);
  if (pattern == nullptr || instance == nullptr) return false;
  const clang::TemplateDecl* named = pattern->getTemplateName().getAsTemplateDecl();
  return named != nullptr &&
         named->getCanonicalDecl() == instance->getSpecializedTemplate()->getCanonicalDecl();
}

bool ClassReader::is_offered(const clang::FunctionDecl& function) {
  if (function.isDeleted() || function.isInvalidDecl()) return false;
  if (function.getTrailingRequiresClause() == nullptr || function.isDependentContext()) return true;
  clang::ConstraintSatisfaction satisfaction;
  return sema_.CheckFunctionConstraints(&function, satisfaction) || satisfaction.IsSatisfied;
}

bool ClassReader::is_creator(const clang::FunctionDecl& function) const {
  return class_made(function.getReturnType()) == record_.getCanonicalDecl();
}

void ClassReader::walk(CXXRecordDecl& record, Names hidden) {
  if (!walked_.insert(record.getCanonicalDecl()).second) return;
  sema_.ForceDeclarationOfImplicitMembers(&record);
  Names own;
  for (clang::Decl* decl : record.decls()) {
    auto* named = llvm::dyn_cast<clang::NamedDecl>(decl);
    if (named == nullptr || hidden.count(named->getNameAsString()) > 0) continue;
    add_member(*named, named->getAccess(), record, own);
  }
  // A declaration in a class hides those of its bases with the same name.
  hidden.insert(own.begin(), own.end());
  for (const clang::CXXBaseSpecifier& base : record.bases()) {
    CXXRecordDecl* decl = base.getType()->getAsCXXRecordDecl();
    if (base.getAccessSpecifier() == clang::AS_public && decl != nullptr && decl->hasDefinition())
      walk(*decl->getDefinition(), hidden);
  }
}

void ClassReader::add_member(clang::NamedDecl& found, clang::AccessSpecifier access,
                             const CXXRecordDecl& from, Names& own) {
  if (auto* shadow = llvm::dyn_cast<clang::UsingShadowDecl>(&found)) {
    add_member(*shadow->getTargetDecl(), access, from, own);
    return;
  }
  const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(&found);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(
      pattern != nullptr ? pattern->getTemplatedDecl() : static_cast<clang::Decl*>(&found));
  if (method == nullptr || llvm::isa<clang::CXXDestructorDecl>(method)) return;
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method);
  if (constructor == nullptr) own.insert(found.getNameAsString());
  if (access != clang::AS_public || !is_offered(*method)) return;
  if (constructor == nullptr) {
    // Skip operator= of other classes, and the one that the compiler generates.
    const bool is_assignment = method->getOverloadedOperator() == clang::OO_Equal;
    if (method->isImplicit() || (is_assignment && &from != &record_)) return;
    if (llvm::isa<clang::CXXDeductionGuideDecl>(&found)) return;
    add_method(*method, pattern, from);
  } else if (&from == &record_) {
    add_constructor(*constructor, pattern);
  }
}

void ClassReader::add_constructor(const clang::CXXConstructorDecl& constructor,
                                  const clang::FunctionTemplateDecl* pattern) {
  if (constructor.isCopyConstructor() && constructor.isUserProvided()) {
    // Copying reads the object, as a method would.
    Json copy = describe(constructor, nullptr);
    copy["kind"] = "copy";
    copy["const"] = constructor.getParamDecl(0)->getType().getNonReferenceType().isConstQualified();
    copy["parameters"] = Json::array();
    methods_.push_back(std::move(copy));
  }
  if (constructor.isCopyOrMoveConstructor() || record_.isAbstract()) return;
  constructors_.push_back(describe(constructor, pattern));
}

void ClassReader::add_method(const clang::CXXMethodDecl& method,
                             const clang::FunctionTemplateDecl* pattern,
                             const CXXRecordDecl& from) {
  if (method.isStatic() && is_creator(method) && pattern == nullptr) {
    creators_.push_back(describe(method, pattern));
    return;
  }
  Json result = describe(method, pattern);
  const bool is_operator = method.isOverloadedOperator();
  if (is_operator) result["symbol"] = clang::getOperatorSpelling(method.getOverloadedOperator());
  result["kind"] = llvm::isa<clang::CXXConversionDecl>(&method) ? "conversion"
                   : is_operator                                ? "operator"
                                                                : "method";
  // The instances of a template are not known yet.
  if (pattern == nullptr && !method.isDependentContext())
    result["function"] = clang::ASTNameGenerator(context_).getName(&method);
  result["const"] = method.isConst();
  result["volatile"] = method.isVolatile();
  result["static"] = method.isStatic();
  result["reference"] = method.getRefQualifier() == clang::RQ_RValue   ? "&&"
                        : method.getRefQualifier() == clang::RQ_LValue ? "&"
                                                                       : "";
  if (&from != &record_) result["inherited_from"] = qualified_name(from);
  has_begin_ = has_begin_ || (result["name"] == "begin" && method.getNumParams() == 0);
  methods_.push_back(std::move(result));
}

Json ClassReader::describe(const clang::FunctionDecl& function,
                           const clang::FunctionTemplateDecl* pattern) {
  QualType result = function.getReturnType();
  if (result->isUndeducedType() && pattern == nullptr &&
      !sema_.DeduceReturnType(const_cast<clang::FunctionDecl*>(&function), function.getLocation(),
                              false)) {
    result = function.getReturnType();
  }
  Json described = {{"name", function.getNameAsString()},
                    {"parameters", Json::array()},
                    {"deprecated", function.isDeprecated()},
                    {"variadic", function.isVariadic()}};
  if (const auto* conversion = llvm::dyn_cast<clang::CXXConversionDecl>(&function))
    described["name"] = "operator " + type_text(conversion->getConversionType(), context_);
  if (llvm::isa<clang::CXXConstructorDecl>(&function))
    described["name"] = record_.getNameAsString();
  described["result"] =
      result->isDependentType() || result->isUndeducedType() ? "auto" : type_text(result, context_);
  for (const clang::ParmVarDecl* parameter : function.parameters())
    described["parameters"].push_back(describe(*parameter));
  if (pattern != nullptr) described["template"] = describe(*pattern);
  return described;
}

Json ClassReader::describe(const clang::FunctionTemplateDecl& pattern) {
  Json described = Json::array();
  for (const clang::NamedDecl* parameter : *pattern.getTemplateParameters()) {
    Json one = {{"name", parameter->getNameAsString()}, {"pack", parameter->isParameterPack()}};
    if (const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter)) {
      one["kind"] = "type";
      one["default"] = type->hasDefaultArgument();
    } else if (const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter)) {
      one["kind"] = "value";
      one["default"] = value->hasDefaultArgument();
    } else {
      one["kind"] = "template";
      one["default"] = false;
    }
    described.push_back(std::move(one));
  }
  return described;
}

Json ClassReader::describe(const clang::ParmVarDecl& parameter) {
  QualType type = parameter.getType();
  const bool is_pack = parameter.isParameterPack();
  if (const auto* expansion = type->getAs<clang::PackExpansionType>())
    type = expansion->getPattern();
  const QualType plain = type.getNonReferenceType();
  const std::string bare_text = type_text(bare(type), context_);
  const auto position = iterators_.find(type_text(without_reference(type), context_));
  Json described = {
      {"type", type_text(type, context_)},
      {"name", parameter.getNameAsString()},
      {"default", parameter.hasDefaultArg()},
      {"pack", is_pack},
      {"kind", kind_of(type)},
      {"bare", bare_text},
      {"reference", type->isLValueReferenceType()   ? "&"
                    : type->isRValueReferenceType() ? "&&"
                                                    : ""},
      {"const", (plain->isPointerType() ? plain->getPointeeType() : plain).isConstQualified()},
      {"under_test", is_under_test(type)},
      {"iterator", position != iterators_.end()},
      {"const_iterator", position != iterators_.end() && position->second},
  };
  // Nested classes of an instance are instantiated on demand, as here.
  if (!type->isDependentType()) (void)sema_.isCompleteType(record_.getLocation(), bare(type));
  if (const CXXRecordDecl* record = class_behind(type))
    described["of_object"] = belongs_to_object(*record);
  else
    described["of_object"] = false;
  if (!type->isDependentType()) note_class(type);
  return described;
}

void ClassReader::note_class(QualType type) {
  const CXXRecordDecl* made = class_made(type.getNonReferenceType());
  if (made == nullptr) return;
  (void)sema_.isCompleteType(record_.getLocation(), context_.getRecordType(made));
  if (!made->hasDefinition()) return;
  auto* record = const_cast<CXXRecordDecl*>(made->getDefinition());
  if (record->getCanonicalDecl() == record_.getCanonicalDecl() || record->isInStdNamespace() ||
      record->isLambda() || belongs_to_object(*record)) {
    return;
  }
  const std::string name = type_text(context_.getRecordType(record), context_);
  if (classes_.count(name) > 0) return;
  classes_[name] = Json::object();  // before its parameters: classes refer to each other
  sema_.ForceDeclarationOfImplicitMembers(record);
  Json described = {{"type", name},
                    {"abstract", record->isAbstract()},
                    {"aggregate", record->isAggregate()},
                    {"default", false},
                    {"constructors", Json::array()}};
  for (const clang::CXXConstructorDecl* constructor : record->ctors()) {
    if (constructor->getAccess() != clang::AS_public || !is_offered(*constructor) ||
        constructor->isCopyOrMoveConstructor()) {
      continue;
    }
    if (constructor->getMinRequiredArguments() == 0) described["default"] = true;
    described["constructors"].push_back(describe(*constructor, nullptr));
  }
  if (record->isAbstract()) {
    described["derived"] = Json::array();
    for (const std::string& derived : concrete_classes_below(context_, *record))
      described["derived"].push_back(derived);
  }
  classes_[name] = std::move(described);
}

void ClassReader::add_factories(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    for_each_function(context_, [&](const clang::FunctionDecl& function) {
      if (qualified_name(function) != name) return;
      Json described = describe(function, nullptr);
      described["factory"] = name;
      creators_.push_back(std::move(described));
    });
  }
}

Json ClassReader::read() {
  walk(record_, {});
  Json others = Json::array();
  for (const auto& [name, described] : classes_) others.push_back(described);
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::PresumedLoc place = sources.getPresumedLoc(record_.getLocation());
  return {{"type", type_text(context_.getRecordType(&record_), context_)},
          {"short_name", record_.getNameAsString()},
          {"abstract", record_.isAbstract()},
          {"has_begin", has_begin_},
          {"file", place.isValid()
                       ? std::filesystem::path(place.getFilename()).lexically_normal().string()
                       : ""},
          {"line", place.isValid() ? place.getLine() : 0},
          {"candidates", candidates_},
          {"class_arguments", class_arguments_},
          {"constructors", constructors_},
          {"creators", creators_},
          {"methods", methods_},
          {"classes", others}};
}

std::vector<std::string> functions_that_make(clang::Sema& sema, const CXXRecordDecl& record) {
  std::vector<std::string> found;
  for_each_function(sema.getASTContext(), [&](const clang::FunctionDecl& function) {
    if (class_made(function.getReturnType()) != record.getCanonicalDecl()) return;
    const std::string name = qualified_name(function);
    if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
  });
  return found;
}

}  // namespace snag::gen::reader
