// Walks over a class and writes, as JSON, what a test can call: constructors, static creators,
// public methods, also inherited ones, and how other classes that they need can be made.
// tool/gen/model/class_model.h reads it.
#pragma once

#include <clang/Sema/Sema.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace snag::gen::reader {

using Json = nlohmann::json;

class ClassReader {
 public:
  ClassReader(clang::Sema& sema, clang::CXXRecordDecl& record);

  // Functions with one of these names are creators, too.
  void add_factories(const std::vector<std::string>& names);
  Json read();

 private:
  using Names = std::set<std::string>;

  void walk(clang::CXXRecordDecl& record, Names hidden);
  void add_member(clang::NamedDecl& found, clang::AccessSpecifier access,
                  const clang::CXXRecordDecl& from, Names& own);
  void add_method(const clang::CXXMethodDecl& method, const clang::FunctionTemplateDecl* pattern,
                  const clang::CXXRecordDecl& from);
  void add_constructor(const clang::CXXConstructorDecl& constructor,
                       const clang::FunctionTemplateDecl* pattern);
  bool is_offered(const clang::FunctionDecl& function);
  bool is_creator(const clang::FunctionDecl& function) const;
  void find_iterators();
  void find_candidates();
  void note_class(clang::QualType type);

  Json describe(const clang::FunctionDecl& function, const clang::FunctionTemplateDecl* pattern);
  Json describe(const clang::ParmVarDecl& parameter);
  Json describe(const clang::FunctionTemplateDecl& pattern);
  bool belongs_to_object(const clang::CXXRecordDecl& record) const;
  bool is_under_test(clang::QualType type) const;
  bool refers_to_class(clang::QualType type) const;

  clang::Sema& sema_;
  clang::ASTContext& context_;
  clang::CXXRecordDecl& record_;
  std::set<const clang::CXXRecordDecl*> walked_;
  // Types of positions in an object of this class, and whether the type is the read-only one.
  std::map<std::string, bool> iterators_;
  bool has_begin_ = false;
  Json constructors_ = Json::array();
  Json creators_ = Json::array();
  Json methods_ = Json::array();
  Json candidates_ = Json::array();
  Json class_arguments_ = Json::array();
  std::map<std::string, Json> classes_;  // others, by their names
};

// Free functions that make an object, to suggest them.
std::vector<std::string> functions_that_make(clang::Sema& sema, const clang::CXXRecordDecl& record);

}  // namespace snag::gen::reader
