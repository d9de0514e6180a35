#include "tool/gen/build/call_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "tool/base/text.h"
#include "tool/gen/model/text_parts.h"

namespace snag::gen {
namespace {

bool matches(const std::string& name, const char* pattern) {
  return std::regex_search(name, std::regex(pattern, std::regex::ECMAScript | std::regex::icase));
}

// A length, not a position in a text.
bool is_length(const Parameter& parameter) {
  return parameter.kind == "integer" && parameter.reference != "&" &&
         !matches(parameter.name,
                  "^_*(pos|index|idx|off|offset|start|from|where|i|at|flags?|id|seed|base)\\d*$");
}
bool is_surely_length(const Parameter& parameter) {
  return parameter.kind == "integer" &&
         matches(parameter.name,
                 "^_*(n\\d?|len|length|size|count|num|max|.*(size|count|len|length))$");
}

// void* may just as well be a pointer to keep.
bool is_length_of(const Parameter& parameter, const Parameter& buffer) {
  return buffer.bare == "void" ? is_surely_length(parameter) : is_length(parameter);
}

bool fills(const std::string& method) {
  return matches(method, "dequeue|pop|read|recv|receive|take|fetch|drain|copy|get|collect|steal");
}

}  // namespace

bool is_iterator_parameter(const Callable& callable, std::size_t template_index) {
  const TemplateParameter& parameter = callable.template_parameters[template_index];
  if (!parameter.is_type || parameter.is_pack) return false;
  if (parameter.name.ends_with("It") || matches(parameter.name, "(^_*i$|^_*it\\d?$|iter|_it$)"))
    return true;
  for (const Parameter& p : callable.parameters) {
    if (names_template_parameter(p.type, template_index) &&
        matches(p.name, "^_*(first|last|begin|end|.*first)$")) {
      return true;
    }
  }
  return false;
}

bool is_function_parameter(const Callable& callable, std::size_t template_index) {
  const TemplateParameter& parameter = callable.template_parameters[template_index];
  if (!parameter.is_type || parameter.is_pack) return false;
  if (matches(parameter.name,
              "^_*(f|fn|fun|op|cb)$|func|callable|callback|pred|visit|compare|handler|task|body"))
    return true;
  for (const Parameter& p : callable.parameters) {
    if (names_template_parameter(p.type, template_index) &&
        matches(p.name,
                "^_*(f|fn|func|function|functor|callback|pred|predicate|visitor|handler|task|op|"
                "compare)$")) {
      return true;
    }
  }
  return false;
}

std::string shown_type(std::string type, const ClassModel& model) {
  replace_name(type, model.type, model.short_name);
  replace_all(type, "unsigned long", "size_t");
  replace_all(type, "snag_gen_made::AnyFunction", "function");
  return type;
}

int pool_of(const GenTarget& options, const Callable& callable, const Parameter& parameter,
            std::size_t index) {
  for (std::size_t i = 0; i < options.pools.size(); ++i) {
    const std::string& target = options.pools[i].target;
    if (target == callable.name + "." + parameter.name ||
        target == fmt::format("{}.{}", callable.name, index)) {
      return static_cast<int>(i);
    }
  }
  for (std::size_t i = 0; i < options.pools.size(); ++i) {
    const std::string& target = options.pools[i].target;
    const bool is_pointer = parameter.type.find('*') != std::string::npos;
    if (target == parameter.type || (target == parameter.bare && !is_pointer) ||
        (target == "size_t" && parameter.bare == "unsigned long" && !is_pointer)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

void CallWriter::add(const std::string& code, const std::string& text) {
  call_.code_arguments.push_back(code);
  call_.text_arguments.push_back(text);
}

// The placeholder of one more argument in code.
std::string CallWriter::new_argument(const std::string& type, const std::string& bare) {
  call_.argument_types.push_back(type);
  call_.bare_types.push_back(bare);
  return fmt::format("${}$", call_.argument_types.size() - 1);
}

// Text that is the same in code and text.
void CallWriter::add_before(const std::string& statement) {
  call_.code_before += statement + "\n";
  std::string text = statement;
  for (std::size_t i = 0; i < call_.argument_types.size(); ++i)
    replace_all(text, fmt::format("${}$", i), fmt::format("{{{}}}", i));
  replace_all(text, "object.", "{object}.");
  call_.text_before += text + " ";
}

bool CallWriter::write_position(const Callable& callable, const std::vector<Parameter>& parameters,
                                std::size_t& index) {
  const Parameter& parameter = parameters[index];
  if (!parameter.is_iterator || parameter.reference == "&&" || !model_.has_begin) return false;
  if (parameter.reference == "&" && !parameter.is_const) return false;
  // erase(iterator) and erase(const_iterator) are different methods.
  const auto takes_the_other = [&](const Callable& other) {
    return other.name == callable.name && index < other.parameters.size() &&
           other.parameters[index].is_iterator && !other.parameters[index].is_const_iterator;
  };
  const bool only_reads =
      parameter.is_const_iterator &&
      std::any_of(model_.methods.begin(), model_.methods.end(), takes_the_other);
  const std::string object = only_reads ? "std::as_const({object})" : "{object}";
  const auto add_end = [&](const char* end) {
    std::string code = object + end;
    replace_all(code, "{object}", "object");
    add(code, object + end);
    call_.shown_types.push_back((only_reads ? "const " : "") + std::string(end + 1));
  };
  call_.uses_object = true;
  add_end(".begin()");
  if (index + 1 < parameters.size() && parameters[index + 1].is_iterator) {
    ++index;
    add_end(".end()");
  } else {
    call_.has_single_position = true;
  }
  return true;
}

bool CallWriter::write_range(const Callable& callable, const std::vector<Parameter>& parameters,
                             std::size_t& index, const TemplateArguments& types) {
  const Parameter& parameter = parameters[index];
  for (std::size_t i = 0; i < callable.template_parameters.size(); ++i) {
    if (!is_iterator_parameter(callable, i) || !names_template_parameter(parameter.type, i))
      continue;
    const std::string name = fmt::format("range{}", call_.argument_types.size());
    const std::string element = types[i].empty() ? "int" : types[i][0];
    const std::string container = "std::vector<" + element + ">";
    add_before(fmt::format("auto {} = {};", name, new_argument(container, container)));
    std::string begin = name + ".begin()";
    if (parameter.reference == "&") {
      add_before(fmt::format("auto at_{0} = {0}.begin();", name));
      begin = "at_" + name;
    }
    add(begin, begin);
    call_.shown_types.push_back("range of " + shown_type(element, model_));
    const bool has_next = index + 1 < parameters.size();
    if (has_next && names_template_parameter(parameters[index + 1].type, i)) {
      ++index;
      add(name + ".end()", name + ".end()");
    } else if (has_next && is_length(parameters[index + 1])) {
      ++index;
      add(name + ".size()", name + ".size()");
      if (fills(callable.name)) call_.output = name;
    } else {
      // A buffer that the method may keep writing to.
      add_before(fmt::format("{}.resize(128);", name));
      call_.output = name;
    }
    return true;
  }
  return false;
}

// A pointer to plain memory, and its size.
bool CallWriter::write_buffer(const std::vector<Parameter>& parameters, std::size_t& index) {
  const Parameter& parameter = parameters[index];
  if ((parameter.kind != "text" && parameter.kind != "buffer") || parameter.reference == "&")
    return false;
  std::size_t length = index + 1;
  const auto fits = [&](std::size_t at) { return at < parameters.size(); };
  if (!fits(length) || !is_length_of(parameters[length], parameter)) {
    // find(text, position, length)
    ++length;
    if (!fits(length) || !is_surely_length(parameters[length])) return false;
  }
  const bool is_text = parameter.bare == "char" || parameter.bare == "void";
  const std::string name = fmt::format("buffer{}", call_.code_arguments.size());
  const std::string type = is_text ? "std::string" : "std::vector<" + parameter.bare + ">";
  if (parameter.is_const) {
    add_before(fmt::format("auto {} = {};", name, new_argument(type, type)));
    call_.shown_types.push_back(is_text ? "text" : "values");
  } else {
    add_before(fmt::format("{} {}(4, {}());", type, name, is_text ? "char" : parameter.bare));
    call_.output = name;
    call_.shown_types.push_back("buffer");
  }
  add(name + ".data()", name + ".data()");
  if (length == index + 2) {
    write_parameter({}, parameters[index + 1], index + 1);
    ++index;
  }
  ++index;
  add(name + ".size()", name + ".size()");
  return true;
}

// An object of the class's own, such as a lock on an element: it must not outlive the call. If the
// method needs it filled, another method fills it.
bool CallWriter::write_own_part(const Callable& callable, const Parameter& parameter) {
  if (parameter.reference != "&" || parameter.is_const || parameter.kind != "class") return false;
  const auto is_it = [&](const OtherClass& other) {
    return other.type == parameter.bare && other.has_default;
  };
  if (!parameter.bare.starts_with(model_.type + "::") ||
      std::none_of(model_.classes.begin(), model_.classes.end(), is_it)) {
    return false;
  }
  const std::string name = fmt::format("part{}", call_.code_arguments.size());
  call_.uses_object = true;
  add_before(fmt::format("{} {};", parameter.bare, name));
  const auto is_finder = [&](const Callable& finder) {
    return finder.result == "bool" && finder.parameters.size() == 2 &&
           finder.parameters[0].type == parameter.type && finder.template_parameters.empty() &&
           matches(finder.name, "find|get|lookup|acquire");
  };
  const auto finder = std::find_if(model_.methods.begin(), model_.methods.end(), is_finder);
  if (callable.parameters.size() == 1 && finder != model_.methods.end()) {
    const Parameter& key = finder->parameters[1];
    add_before(fmt::format("if (!object.{}({}, {})) throw std::out_of_range(\"nothing found\");",
                           finder->name, name, new_argument(key.type, key.bare)));
  }
  add(name, name);
  return true;
}

// A pointer to an object of the class's own, which another method returns.
bool CallWriter::write_found(const Parameter& parameter) {
  if (parameter.kind != "pointer" || !parameter.bare.starts_with(model_.type + "::")) return false;
  const Callable* best = nullptr;
  for (const Callable& finder : model_.methods) {
    if (finder.result != parameter.bare + "*" || finder.parameters.size() != 1 ||
        finder.parameters[0].bare == parameter.bare || !finder.template_parameters.empty()) {
      continue;
    }
    if (best == nullptr || matches(finder.name, "find|get|lookup")) best = &finder;
  }
  if (best == nullptr) return false;
  const std::string name = fmt::format("found{}", call_.code_arguments.size());
  const Parameter& key = best->parameters[0];
  call_.uses_object = true;
  add_before(
      fmt::format("auto* {0} = object.{1}({2}); "
                  "if ({0} == nullptr) throw std::out_of_range(\"nothing found\");",
                  name, best->name, new_argument(key.type, key.bare)));
  add(name, name);
  return true;
}

void CallWriter::write_parameter(const Callable& callable, const Parameter& parameter,
                                 std::size_t index) {
  call_.shown_types.push_back(shown_type(parameter.type, model_));
  if (parameter.belongs_to_object && parameter.type.find('*') == std::string::npos) {
    const std::string name = fmt::format("of_object{}", index);
    call_.uses_object = true;
    call_.code_before += fmt::format("{} {}(object);\n", parameter.bare, name);
    call_.text_before += fmt::format("{} {}({{object}}); ", parameter.bare, name);
    const std::string value = parameter.reference == "&" ? name : "std::move(" + name + ")";
    add(value, value);
    return;
  }
  if (write_own_part(callable, parameter) || write_found(parameter)) return;
  const std::string text = fmt::format("{{{}}}", call_.argument_types.size());
  const int pool = pool_of(options_, callable, parameter, index);
  if (pool < 0) {
    add(new_argument(parameter.type, parameter.bare), text);
    return;
  }
  const bool is_output = parameter.reference == "&" && !parameter.is_const;
  const std::string type = fmt::format("snag_gen_made::Pool{}{}", pool, is_output ? "&" : "");
  add(new_argument(type, "") + ".value", text);
}

std::string with_arguments(const WrittenCall& call, std::string code, bool is_bound) {
  for (std::size_t i = 0; i < call.argument_types.size(); ++i) {
    const std::string& type = call.argument_types[i];
    const bool is_lvalue = type.ends_with('&') && !type.ends_with("&&");
    std::string argument = fmt::format("c.arg<{}>({})", type, i);
    if (is_bound)
      argument = fmt::format(fmt::runtime(is_lvalue ? "argument{}" : "std::move(argument{})"), i);
    replace_all(code, fmt::format("${}$", i), argument);
  }
  return code;
}

std::string bound_arguments(const WrittenCall& call) {
  std::string code;
  for (std::size_t i = 0; i < call.argument_types.size(); ++i)
    code +=
        fmt::format("decltype(auto) argument{0} = c.arg<{1}>({0});\n", i, call.argument_types[i]);
  return code;
}

WrittenCall CallWriter::write(const Callable& callable, std::size_t count,
                              const TemplateArguments& types) {
  call_ = {};
  std::vector<Parameter> parameters(
      callable.parameters.begin(),
      callable.parameters.begin() + static_cast<std::ptrdiff_t>(count));
  const auto substituted = [&](Parameter parameter, std::size_t pack_element) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (!names_template_parameter(parameter.type, i)) continue;
      const std::size_t which = callable.template_parameters[i].is_pack ? pack_element : 0;
      if (which >= types[i].size()) continue;
      parameter.type = with_template_argument(parameter.type, i, types[i][which]);
      parameter.bare = with_template_argument(parameter.bare, i, types[i][which]);
    }
    return parameter;
  };
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    if (parameter.is_pack) {
      std::size_t elements = 0;
      for (std::size_t p = 0; p < types.size(); ++p) {
        if (names_template_parameter(parameter.type, p))
          elements = std::max(elements, types[p].size());
      }
      for (std::size_t element = 0; element < elements; ++element)
        write_parameter(callable, substituted(parameter, element), i);
      continue;
    }
    if (write_position(callable, parameters, i) || write_range(callable, parameters, i, types) ||
        write_buffer(parameters, i)) {
      continue;
    }
    write_parameter(callable, substituted(parameter, 0), i);
  }
  return call_;
}

}  // namespace snag::gen
