// What snag-read-class has found in a class: everything that a test can call, and how to make the
// arguments. Types are C++ text without typedefs; those of member templates have P0, P1 and so on
// for the template's parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/base/error.h"

namespace snag::gen {

struct Parameter {
  std::string type;       // exactly: "const int&"
  std::string name;       // may be empty
  std::string kind;       // bool integer real enum text buffer pointer class dependent other
  std::string bare;       // without reference, pointer and const: "int"
  std::string reference;  // "", "&" or "&&"
  bool has_default = false;
  bool is_pack = false;
  bool is_const = false;           // what it refers or points to, or the value
  bool is_under_test = false;      // (a reference or pointer to) the class itself
  bool is_iterator = false;        // a position in an object of the class
  bool is_const_iterator = false;  // one that only reads, if there are two kinds
  bool belongs_to_object = false;  // a token or guard, which is made from an object of the class
};

struct TemplateParameter {
  std::string name;
  bool is_type = true;
  bool is_pack = false;
  bool has_default = false;
};

enum class CallableKind { kConstructor, kCreator, kMethod, kOperator, kConversion, kCopy };

struct Callable {
  CallableKind kind = CallableKind::kMethod;
  std::string name;
  std::string symbol;     // of an operator: "[]"
  std::string result;     // "auto" if it is not known
  std::string reference;  // "&&": only for an object that may be moved from
  std::string factory;    // of a creator: the function's whole name
  std::string inherited_from;
  std::string function;  // its name for the linker; empty if it is not known
  bool is_const = false;
  bool is_volatile = false;
  bool is_static = false;
  bool is_deprecated = false;
  std::vector<Parameter> parameters;
  std::vector<TemplateParameter> template_parameters;
};

// Another class, of which an argument is needed.
struct OtherClass {
  std::string type;
  bool is_abstract = false;
  bool has_default = false;
  std::vector<Callable> constructors;
  std::vector<std::string> derived;  // of an abstract one: those that can be made
};

struct ClassModel {
  std::string class_name;  // as the user wrote it
  std::string type;        // without typedefs
  std::string short_name;  // "Queue"
  std::string file;
  unsigned line = 0;
  bool is_abstract = false;
  bool has_begin = false;                    // begin() returns positions in it
  std::vector<std::string> candidates;       // types that its templates may be called with
  std::vector<std::string> class_arguments;  // types in the name of the class, defaults included
  std::vector<Callable> constructors, creators, methods;
  std::vector<OtherClass> classes;
  std::vector<std::string> makers;  // free functions that return one
};

Expected<ClassModel> parse_class_model(std::string_view json);

}  // namespace snag::gen
