#include "tool/binary/variables/expression_types.h"

#include <dwarf.h>

#include <set>
#include <string_view>
#include <utility>

#include "tool/binary/dwarf_function.h"
#include "tool/binary/dwarf_types.h"

namespace snag::binary {
namespace {

using Step = SourceExpression::Step;
using Base = ResolvedExpression::Base;

// Calls `visit` for each variable and parameter of a function, also of its blocks: with whether
// `pc` is in its block.
template <class Visit>
void for_each_local(Dwarf_Die parent, std::uint64_t pc, bool is_in_scope, const Visit& visit) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) visit(&child, is_in_scope);
    if (tag == DW_TAG_lexical_block)
      for_each_local(child, pc, is_in_scope && dwarf_haspc(&child, pc) == 1, visit);
  } while (dwarf_siblingof(&child, &child) == 0);
}

// The optimiser omits what it does not need; the function's declaration has everything.
template <class Visit>
void for_each_declared(Dwarf_Die function, std::uint64_t pc, const Visit& visit) {
  for_each_local(function, pc, true, visit);
  Dwarf_Attribute attribute;
  Dwarf_Die origin;
  if (dwarf_attr(&function, DW_AT_abstract_origin, &attribute) != nullptr &&
      dwarf_formref_die(&attribute, &origin) != nullptr) {
    for_each_local(origin, pc, false, visit);
  }
}

// Of several with that name, the one that was declared last before the line, in a block that is not
// over.
std::optional<Dwarf_Die> local_type(const ExpressionPlace& place, std::string_view name, int line) {
  std::optional<Dwarf_Die> type;
  std::pair<bool, int> best(false, -1);
  for_each_declared(place.function, place.pc, [&](Dwarf_Die* die, bool is_in_scope) {
    const char* local = dwarf_diename(die);
    const int declared = unsigned_attribute(die, DW_AT_decl_line);
    const std::pair rank(is_in_scope, declared);
    if (local == nullptr || name != local || declared > line || rank <= best) return;
    best = rank;
    type = type_of(die);
  });
  return type;
}

class Resolver {
 public:
  Resolver(const ExpressionPlace& place, DebugFile& file) : place_(place), file_(file) {
    for (const char* name : {"this", "__closure"}) {  // g++'s name in a lambda
      const auto self = local_type(place, name, INT32_MAX);
      if (self && !class_) class_ = target(*self);
    }
  }

  std::vector<ResolvedExpression> resolve(const SourceExpression& expression) {
    const auto& parts = expression.parts;
    if (parts.empty() || !start(parts[0].text)) return {};
    for (std::size_t i = 1; i < parts.size(); ++i) step(parts[i]);
    if (expression.is_range) step({Step::kIndex, "..."});
    keep();
    return std::move(found_);
  }

 private:
  void keep() {
    result_.type = type_;
    result_.size = array_size_ != 0 ? array_size_ : type_ ? size_of(*type_) : 0;
    found_.push_back(result_);
  }

  std::optional<Dwarf_Die> completed(std::optional<Dwarf_Die> type) {
    if (type) type = file_.definition_of(*type);
    return type;
  }
  std::optional<Dwarf_Die> target(Dwarf_Die type) { return completed(target_of(type)); }

  bool start(const std::string& name) {
    result_.name = result_.text = name;
    if (name == "this") {
      type_ = local_type(place_, name, INT32_MAX);
      return type_.has_value();
    }
    if (class_ && capture(name)) return true;
    if ((type_ = completed(local_type(place_, name, place_.line)))) {
      see_through_reference();
      return true;
    }
    if (class_ && member_of_this(*class_, name)) return true;
    const std::string global_name = name.starts_with("::") ? name.substr(2) : name;
    if (const DebugFile::Global* global = file_.global_named(global_name)) {
      result_.base = Base::kGlobal;
      type_ = completed(global->type);
      return true;
    }
    if (file_.has_thread_local(name)) {
      result_.base = Base::kGlobal;
      return true;
    }
    return false;
  }

  // In a lambda: g++ calls the members of its object "__name" and "__this", clang "name" and
  // "this".
  bool capture(const std::string& name) {
    const char* class_name = dwarf_diename(&*class_);
    const bool is_lambda = class_name == nullptr || std::string_view(class_name).starts_with("<");
    auto member = find_member(*class_, "__" + name);
    if (!member && is_lambda) member = find_member(*class_, name);
    if (member) {
      result_.base = Base::kCaptured;
      type_ = completed(member->type);
      const bool is_reference_to_local = type_ && is_reference(*type_) && is_of_encloser(name);
      see_through_reference();
      result_.is_enclosing_local = is_reference_to_local;
      return true;
    }
    for (const char* self : {"__this", "this"}) {
      member = find_member(*class_, self);
      const auto object = member ? target(member->type) : std::nullopt;
      if (object && member_of_this(*object, name)) return true;
    }
    return false;
  }

  // Whether the function around the lambda has this variable, and it is no reference itself.
  bool is_of_encloser(const std::string& name) {
    for (Dwarf_Die& scope : scopes_of(*class_)) {
      if (dwarf_tag(&scope) != DW_TAG_subprogram) continue;
      const auto type = local_type({scope}, name, INT32_MAX);
      return type && !is_reference(*type);
    }
    return false;
  }

  bool member_of_this(Dwarf_Die type, const std::string& name) {
    if (!find_member(type, name)) return false;
    result_.base = Base::kMember;
    enter_object(type);
    type_ = type;
    step({Step::kMember, name});
    return true;
  }

  void see_through_reference() {
    if (!type_ || !is_reference(*type_)) return;
    type_ = target(*type_);
    if (type_) enter_object(*type_);
  }

  // From here on, the memory belongs to another object.
  void enter_object(Dwarf_Die type) {
    result_.is_indirect = true;
    result_.is_enclosing_local = false;
    result_.object.reset();
    if (is_class(type)) result_.object = type;
    result_.offset = 0;
    array_size_ = 0;
    is_object_itself_ = true;
  }

  void step(const SourceExpression::Part& part) {
    switch (part.step) {
      case Step::kName:
        break;
      case Step::kCast:  // its own type is unknown, and that of the pointer does not matter
        type_.reset();
        break;
      case Step::kArrow:
      case Step::kDereference:
        follow();
        if (part.step == Step::kArrow) enter_member(part.text, "->");
        if (part.step == Step::kDereference) result_.text = "*" + result_.text;
        break;
      case Step::kMember:
        enter_member(part.text, ".");
        break;
      case Step::kIndex:
        enter_element(part.text);
        break;
    }
  }

  void follow() {
    if (type_ && is_class(*type_)) keep();
    type_ = type_ ? target(*type_) : std::nullopt;
    result_.is_indirect = true;
    result_.is_enclosing_local = false;
    result_.object.reset();
    if (type_) enter_object(*type_);
  }

  void enter_element(const std::string& index) {
    const bool is_array = type_ && dwarf_tag(&*type_) == DW_TAG_array_type;
    const bool is_next_dimension = array_size_ != 0 && type_ && !target_of(*type_);
    if (is_array && array_size_ == 0) array_size_ = size_of(*type_);
    if (is_array) {
      type_ = target(*type_);  // in the same object, but it is not known where
    } else if (!is_next_dimension) {
      follow();
    }
    result_.text += "[" + index + "]";
  }

  void enter_member(const std::string& name, std::string_view operation) {
    const auto member = type_ ? find_member(*type_, name) : std::nullopt;
    if (!member) {
      result_.text += std::string(operation) + name;
      type_.reset();
      result_.object.reset();
      return;
    }
    if (result_.object && is_object_itself_) {
      const std::string owner = type_name(member->owner);
      result_.text = owner.empty() ? name : owner + "::" + name;
    } else {
      result_.text += "." + name;
    }
    is_object_itself_ = false;
    if (array_size_ == 0) result_.offset += member->offset;
    type_ = completed(member->type);
    if (is_reference(*type_)) see_through_reference();
  }

  ExpressionPlace place_;
  DebugFile& file_;
  std::optional<Dwarf_Die> class_;  // of `this`
  std::optional<Dwarf_Die> type_;   // of the part read so far
  bool is_object_itself_ = false;   // that is an object as a whole
  // Not 0: that is somewhere in an array of this size, which begins at the result's offset.
  std::uint64_t array_size_ = 0;
  ResolvedExpression result_;
  std::vector<ResolvedExpression> found_;
};

}  // namespace

std::vector<ResolvedExpression> resolve_expression(const SourceExpression& expression,
                                                   const ExpressionPlace& place, DebugFile& file) {
  return Resolver(place, file).resolve(expression);
}

std::string variable_declared_at(Dwarf_Die function, int line) {
  std::set<std::string> names;
  for_each_declared(function, 0, [&](Dwarf_Die* die, bool) {
    const char* name = dwarf_diename(die);
    if (name != nullptr && unsigned_attribute(die, DW_AT_decl_line) == line) names.insert(name);
  });
  return names.size() == 1 ? *names.begin() : "";
}

}  // namespace snag::binary
