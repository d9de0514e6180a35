#include "tool/gen/build/adapters.h"

#include <fmt/format.h>
#include <snag/gen_flags.h>

#include <algorithm>
#include <regex>

#include "tool/base/text.h"
#include "tool/gen/build/call_writer.h"
#include "tool/gen/model/text_parts.h"

namespace snag::gen {
namespace {

using Strings = std::vector<std::string>;

constexpr std::size_t kMaxTemplateChoices = 12;
constexpr const char* kAnyFunctionType = "snag_gen_made::AnyFunction";

Strings value_types(const ClassModel& model) {
  Strings types;
  const auto add = [&](const std::string& type) {
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  };
  for (std::string type : model.candidates) {
    // A map's elements, as a user would write them to insert one.
    replace_all(type, "std::pair<const ", "std::pair<");
    add(type);
  }
  add("int");
  add("std::string");
  add("std::string_view");
  return types;
}

// What the position of a parameter within another type implies: only some types make sense for
// std::chrono::duration<P0, P1>, and merge(std::map<K, V, P0>&) takes the argument at that position
// of the class's name.
Strings types_in_places(const ClassModel& model, const Callable& callable, std::size_t index) {
  const std::string wanted = "P" + std::to_string(index);
  Strings types;
  for (const Parameter& parameter : callable.parameters) {
    const std::size_t open = parameter.type.find('<'), close = parameter.type.rfind('>');
    if (open == std::string::npos || close == std::string::npos) continue;
    const Strings places = split_at_commas(parameter.type.substr(open + 1, close - open - 1));
    const auto place = std::find(places.begin(), places.end(), wanted);
    if (place == places.end()) continue;
    const std::size_t number = static_cast<std::size_t>(place - places.begin());
    const bool is_time = parameter.type.find("std::chrono::time_point<") != std::string::npos;
    if (parameter.type.find("std::chrono::duration<") != std::string::npos) {
      types.push_back(number == 0 ? "long" : "std::ratio<1, 1000>");
    } else if (is_time && number == 0) {
      types.push_back("std::chrono::steady_clock");
    } else if (is_time) {
      types.push_back("std::chrono::nanoseconds");
    } else if (number < model.class_arguments.size()) {
      types.push_back(model.class_arguments[number]);
    }
  }
  return types;
}

// The ways to choose types for the parameter at `index`, best first.
std::vector<Strings> choices_for(const ClassModel& model, const Callable& callable,
                                 std::size_t index) {
  const TemplateParameter& parameter = callable.template_parameters[index];
  std::vector<Strings> choices;
  const Strings values = value_types(model);
  if (!parameter.is_type) return {{"0"}, {"1"}};
  if (parameter.is_pack) {
    bool has_function = false;
    for (std::size_t i = 0; i < callable.template_parameters.size(); ++i)
      has_function = has_function || is_function_parameter(callable, i);
    if (has_function) choices.push_back({});
    for (const std::string& value : values) choices.push_back({value});
    // emplace(key, value)
    if (model.candidates.size() >= 3)
      choices.insert(choices.begin(), Strings{model.candidates[1], model.candidates[2]});
    if (!has_function) choices.push_back({});
    return choices;
  }
  if (is_function_parameter(callable, index)) choices.push_back({kAnyFunctionType});
  for (const std::string& type : types_in_places(model, callable, index)) choices.push_back({type});
  for (const std::string& value : values) choices.push_back({value});
  if (!is_function_parameter(callable, index)) choices.push_back({kAnyFunctionType});
  return choices;
}

bool is_deduced(const Callable& callable, std::size_t index) {
  for (const Parameter& parameter : callable.parameters) {
    if (names_template_parameter(parameter.type, index)) return true;
  }
  return false;
}

// Combinations of types; all parameters move on together first, then one by one.
std::vector<TemplateArguments> template_choices(const ClassModel& model, const Callable& callable) {
  if (callable.template_parameters.empty()) return {TemplateArguments()};
  std::vector<std::vector<Strings>> each;
  std::size_t most = 1;
  for (std::size_t i = 0; i < callable.template_parameters.size(); ++i) {
    const TemplateParameter& parameter = callable.template_parameters[i];
    const bool is_left_alone =
        !is_deduced(callable, i) && (parameter.has_default || parameter.is_pack);
    each.push_back(is_left_alone ? std::vector<Strings>{{}} : choices_for(model, callable, i));
    most = std::max(most, each.back().size());
  }
  std::vector<TemplateArguments> result;
  const auto add = [&](const TemplateArguments& types) {
    if (result.size() < kMaxTemplateChoices &&
        std::find(result.begin(), result.end(), types) == result.end()) {
      result.push_back(types);
    }
  };
  for (std::size_t step = 0; step < most; ++step) {
    TemplateArguments together, mixed;
    for (std::size_t i = 0; i < each.size(); ++i) {
      together.push_back(each[i][std::min(step, each[i].size() - 1)]);
      mixed.push_back(each[i][i == 0 ? 0 : std::min(step, each[i].size() - 1)]);
    }
    add(together);
    add(mixed);
  }
  return result;
}

// <int>, if the types cannot be deduced, or if overload resolution would choose a method that is
// not a template.
std::string explicit_arguments(const Callable& callable, const TemplateArguments& types,
                               bool has_plain_twin) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const TemplateParameter& parameter = callable.template_parameters[i];
    if (is_iterator_parameter(callable, i)) break;
    const bool is_needed = !is_deduced(callable, i) && !parameter.has_default && !parameter.is_pack;
    if (is_needed || (has_plain_twin && is_deduced(callable, i))) count = i + 1;
  }
  Strings arguments;
  for (std::size_t i = 0; i < count; ++i)
    arguments.insert(arguments.end(), types[i].begin(), types[i].end());
  return arguments.empty() ? "" : "<" + join(arguments, ", ") + ">";
}

struct Access {
  std::string code, text;  // the object as the method needs it
};

Access access_of(const Callable& callable, bool has_mutable_twin) {
  Access access{"object", "{object}"};
  if (callable.is_const) access.code = "std::as_const(object)";
  if (callable.is_const && has_mutable_twin) access.text = "std::as_const({object})";
  if (callable.reference == "&&") {
    access.code = "std::move(" + access.code + ")";
    access.text = "std::move(" + access.text + ")";
  }
  return access;
}

std::string operator_text(const Callable& callable, const std::string& object,
                          const Strings& arguments) {
  const std::string& symbol = callable.symbol;
  if (symbol == "[]") return object + "[" + join(arguments, ", ") + "]";
  if (symbol == "()") return object + "(" + join(arguments, ", ") + ")";
  if (symbol == "->") return object + ".operator->()";
  if (arguments.empty()) return symbol + object;
  return object + " " + symbol + " " + arguments[0];
}

struct AdapterText {
  std::string code, text;
};

AdapterText method_call(const ClassModel& model, const Callable& callable, const WrittenCall& call,
                        const std::string& explicit_types, bool has_mutable_twin) {
  const Access access = access_of(callable, has_mutable_twin);
  const std::string code_list = "(" + join(call.code_arguments, ", ") + ")";
  const std::string text_list = "(" + join(call.text_arguments, ", ") + ")";
  if (callable.kind == CallableKind::kCopy)
    return {"T(std::as_const(object))", model.class_name + "({object})"};
  if (callable.kind == CallableKind::kConversion) {
    const std::string cast = "static_cast<" + callable.name.substr(9) + ">";
    return {cast + "(" + access.code + ")", cast + "(" + access.text + ")"};
  }
  const bool is_postfix =
      (callable.symbol == "++" || callable.symbol == "--") && !callable.parameters.empty();
  if (is_postfix) return {"object" + callable.symbol, "{object}" + callable.symbol};
  if (callable.kind == CallableKind::kOperator) {
    return {access.code + "." + callable.name + code_list,
            operator_text(callable, access.text, call.text_arguments)};
  }
  if (callable.is_static) {
    return {"T::" + callable.name + explicit_types + code_list,
            model.class_name + "::" + callable.name + explicit_types + text_list};
  }
  // T is not a dependent type, so the name needs no `template`.
  return {access.code + "." + callable.name + explicit_types + code_list,
          access.text + "." + callable.name + explicit_types + text_list};
}

// Removes the element at a position: not possible in an empty container.
bool needs_an_element(const Callable& callable, const WrittenCall& call) {
  static const std::regex kRemoves("erase|extract|remove|pop|take");
  return call.has_single_position && std::regex_search(callable.name, kRemoves);
}

void finish(Adapter& adapter, const Callable& callable, AdapterText call,
            const WrittenCall& written) {
  if (needs_an_element(callable, written)) {
    const char* guard = "({0}.begin() == {0}.end() ? throw std::out_of_range(\"empty\") : {1})";
    call.code = fmt::format(fmt::runtime(guard), "object", call.code);
    call.text = fmt::format(fmt::runtime(guard), "{object}", call.text);
  }
  // If a method fills a buffer and returns the object, only the buffer is informative.
  const bool fills_only = !written.output.empty() && callable.result.ends_with('&');
  const bool is_void = callable.result == "void" || fills_only;
  const std::string& text_before = written.text_before;
  // Arguments first: the text of a call is requested before there is an object.
  const bool is_bound = written.uses_object && !written.argument_types.empty();
  std::string body = is_bound ? bound_arguments(written) : "";
  if (written.uses_object) {
    body += "T& object = c.self<T>();\n";
  } else {
    replace_all(call.code, "object", "c.self<T>()");
  }
  body += with_arguments(written, written.code_before, is_bound);
  call.code = with_arguments(written, call.code, is_bound);
  if (!written.output.empty()) {
    // The filled variable is part of the result.
    const std::string both =
        is_void ? fmt::format("return {};", written.output)
                : fmt::format("return std::make_pair(result, {});", written.output);
    const char* keep = is_void ? "" : "auto result = ";
    adapter.code = body + keep + call.code + ";\n" + both;
    adapter.text = "[&] { " + text_before + keep + call.text + "; " + both + " }()";
    return;
  }
  adapter.code = body + "return " + call.code + ";";
  adapter.text = text_before.empty()
                     ? call.text
                     : "[&] { " + text_before + (is_void ? "" : "return ") + call.text + "; }()";
}

// The class, by the driver's and the user's names for it.
void use_short_names(const ClassModel& model, Adapter& adapter) {
  replace_name(adapter.code, model.type, "T");
  replace_name(adapter.text, model.type, model.class_name);
}

bool is_safe_to_look_at(const Callable& callable) {
  if (!callable.is_const || callable.is_static || !callable.parameters.empty()) return false;
  if (callable.kind == CallableKind::kCopy || callable.kind == CallableKind::kOperator)
    return false;
  if (callable.result == "void" || callable.result.ends_with('&') || callable.result.ends_with('*'))
    return false;
  if (callable.result.find("iterator") != std::string::npos) return false;
  // These block forever, for example on an empty container.
  static const std::regex kUnsafe("^(front|back|top|peek|first|last|wait|join|lock|sleep|acquire)");
  return !std::regex_search(callable.name, kUnsafe);
}

std::string shown_name(const Callable& callable, const WrittenCall& call,
                       const std::string& explicit_types) {
  std::string name = callable.name + explicit_types + "(" + join(call.shown_types, ", ") + ")";
  if (callable.kind == CallableKind::kCopy) name = callable.name + "(copy of the object)";
  return name;
}

// How many parameters to give: all, then fewer as far as there are defaults. Leaves out allocators.
std::vector<std::size_t> parameter_counts(const Callable& callable) {
  std::size_t least = 0;
  for (std::size_t i = 0; i < callable.parameters.size(); ++i) {
    if (!callable.parameters[i].has_default && !callable.parameters[i].is_pack) least = i + 1;
  }
  std::vector<std::size_t> counts;
  for (std::size_t count = callable.parameters.size() + 1; count-- > least;) {
    const bool ends_in_allocator =
        count > least && count > 0 &&
        callable.parameters[count - 1].bare.find("alloc") != std::string::npos;
    if (!ends_in_allocator) counts.push_back(count);
  }
  return counts;
}

std::string declared_name(const ClassModel& model, const Callable& callable) {
  if (callable.kind == CallableKind::kCopy) return callable.name + "(copy of the object)";
  Strings types;
  for (const Parameter& parameter : callable.parameters) {
    std::string type = shown_type(parameter.type, model);
    for (std::size_t i = 0; i < callable.template_parameters.size(); ++i) {
      const std::string& name = callable.template_parameters[i].name;
      type = with_template_argument(
          type, i, name.empty() ? "auto" : name.substr(name.find_first_not_of('_')));
    }
    types.push_back(type + (parameter.is_pack ? "..." : ""));
  }
  return callable.name + "(" + join(types, ", ") + ")";
}

bool is_wanted(const GenTarget& options, const std::string& name, const std::string& shown) {
  const auto fits = [&](const std::string& pattern) {
    return fits_pattern(pattern, name) || fits_pattern(pattern, shown);
  };
  if (std::any_of(options.exclude.begin(), options.exclude.end(), fits)) return false;
  return options.include.empty() ||
         std::any_of(options.include.begin(), options.include.end(), fits);
}

bool has_twin(const ClassModel& model, const Callable& callable, bool Callable::*without) {
  for (const Callable& other : model.methods) {
    if (other.name == callable.name && other.*without == false) return true;
  }
  return false;
}

// By a function: the driver finds out what kind of object it returns.
std::string creation(const std::string& expression, const std::string& before = "") {
  return fmt::format("c.create<T>([&]() -> decltype(auto) {{ {}return {}; }});", before,
                     expression);
}

}  // namespace

std::vector<Piece> method_pieces(const ClassModel& model, const GenTarget& options) {
  std::vector<Piece> pieces;
  CallWriter writer(model, options);
  for (const Callable& callable : model.methods) {
    if (callable.symbol.starts_with("new") || callable.symbol.starts_with("delete")) continue;
    if (callable.is_volatile && has_twin(model, callable, &Callable::is_volatile)) continue;
    const bool has_mutable_twin =
        callable.is_const && has_twin(model, callable, &Callable::is_const);
    Piece piece;
    piece.name = declared_name(model, callable);
    piece.is_template = !callable.template_parameters.empty();
    piece.has_plain_twin =
        piece.is_template &&
        std::any_of(model.methods.begin(), model.methods.end(), [&](const Callable& other) {
          return other.name == callable.name && other.template_parameters.empty() &&
                 other.parameters.size() == callable.parameters.size();
        });
    if (has_mutable_twin) piece.name += " const";
    if (!is_wanted(options, callable.name, piece.name)) continue;
    const bool is_postfix = callable.symbol == "++" || callable.symbol == "--";
    for (const std::size_t count : parameter_counts(callable)) {
      for (const TemplateArguments& types : template_choices(model, callable)) {
        const WrittenCall call = is_postfix ? WrittenCall() : writer.write(callable, count, types);
        const std::string explicit_types =
            explicit_arguments(callable, types, piece.has_plain_twin);
        Adapter adapter;
        adapter.name =
            shown_name(callable, call, explicit_types) + (has_mutable_twin ? " const" : "");
        if (is_postfix && !callable.parameters.empty()) adapter.name = callable.name + "(int)";
        adapter.arguments = static_cast<int>(call.argument_types.size());
        adapter.flags = (callable.is_const ? snag_gen::kConst : 0) |
                        (callable.is_static ? snag_gen::kStatic : 0) |
                        (is_safe_to_look_at(callable) ? snag_gen::kObserver : 0);
        adapter.arg_types = call.bare_types;
        adapter.function = callable.function;
        finish(adapter, callable,
               method_call(model, callable, call, explicit_types, has_mutable_twin), call);
        adapter.code =
            "c.returns([&]() -> decltype(auto) {\n" + indented(adapter.code, 2) + "\n});";
        use_short_names(model, adapter);
        piece.variants.push_back(std::move(adapter));
      }
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::vector<Piece> constructor_pieces(const ClassModel& model, const GenTarget& options) {
  std::vector<Piece> pieces;
  CallWriter writer(model, options);
  const auto add = [&](const Callable& callable) {
    const bool is_creator = callable.kind == CallableKind::kCreator;
    const std::string prefix =
        is_creator && callable.factory.empty() ? model.short_name + "::" : "";
    Piece piece{PieceKind::kConstructor,
                prefix + declared_name(model, callable),
                {},
                !callable.template_parameters.empty()};
    const std::string function = !is_creator                ? "T"
                                 : callable.factory.empty() ? "T::" + callable.name
                                                            : callable.factory;
    const std::string shown = !is_creator                ? model.class_name
                              : callable.factory.empty() ? model.class_name + "::" + callable.name
                                                         : callable.factory;
    for (const std::size_t count : parameter_counts(callable)) {
      for (const TemplateArguments& types : template_choices(model, callable)) {
        const WrittenCall call = writer.write(callable, count, types);
        const std::string arguments = with_arguments(call, join(call.code_arguments, ", "), false);
        Adapter adapter;
        adapter.name = prefix + shown_name(callable, call, "");
        adapter.text = shown + "(" + join(call.text_arguments, ", ") + ")";
        if (!call.text_before.empty())
          adapter.text = "[&] { " + call.text_before + "return " + adapter.text + "; }()";
        adapter.arguments = static_cast<int>(call.argument_types.size());
        adapter.arg_types = call.bare_types;
        adapter.code = with_arguments(call, call.code_before, false);
        if (!is_creator) {
          adapter.code += "c.construct<T>(" + arguments + ");";
        } else {
          adapter.code = creation(fmt::format("{}({})", function, arguments), adapter.code);
        }
        use_short_names(model, adapter);
        piece.variants.push_back(std::move(adapter));
      }
    }
    pieces.push_back(std::move(piece));
  };
  if (!options.factories.empty()) {
    for (const Callable& creator : model.creators) {
      if (!creator.factory.empty()) add(creator);
    }
    for (const std::string& factory : options.factories) {
      if (is_plain_name(factory)) continue;
      pieces.push_back({PieceKind::kConstructor,
                        factory,
                        {{factory, factory, 0, 0, creation(factory), {}, ""}},
                        false});
    }
    return pieces;
  }
  const auto takes_another = [](const Callable& callable) {
    return std::any_of(callable.parameters.begin(), callable.parameters.end(),
                       [](const Parameter& parameter) { return parameter.is_under_test; });
  };
  const auto takes_allocator = [](const Callable& callable) {
    for (const TemplateParameter& parameter : callable.template_parameters) {
      if (parameter.name.find("Alloc") != std::string::npos) return true;
    }
    return std::any_of(
        callable.parameters.begin(), callable.parameters.end(), [](const Parameter& parameter) {
          return !parameter.has_default && parameter.bare.find("alloc") != std::string::npos;
        });
  };
  for (const auto* group : {&model.constructors, &model.creators}) {
    for (const Callable& callable : *group) {
      // A constructor that takes another object would need itself. And allocators are left out.
      if (!takes_another(callable) && !takes_allocator(callable)) add(callable);
    }
  }
  return pieces;
}

}  // namespace snag::gen
