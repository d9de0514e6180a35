#include "gen/call_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "gen/text_parts.h"

namespace snag::gen {
namespace {

bool matches(const std::string& name, const char* pattern) {
  return std::regex_search(name, std::regex(pattern, std::regex::ECMAScript | std::regex::icase));
}

// Not a position in a text or the like.
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

bool fills(const std::string& method) {
  return matches(method, "dequeue|pop|read|recv|receive|take|fetch|drain|copy|get|collect|steal");
}

}  // namespace

bool is_iterator_parameter(const Callable& callable, std::size_t template_index) {
  const TemplateParameter& parameter = callable.template_parameters[template_index];
  if (!parameter.is_type || parameter.is_pack) return false;
  if (matches(parameter.name, "(^_*i$|^_*it\\d?$|iter|_it$)")) return true;
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
  replace_all(type, model.type, model.short_name);
  replace_all(type, "unsigned long", "size_t");
  replace_all(type, "snag_gen_made::AnyFunction", "function");
  return type;
}

int pool_of(const GenOptions& options, const Callable& callable, const Parameter& parameter,
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

// A variable that holds the next argument.
void CallWriter::bind(const std::string& type, const std::string& name) {
  call_.code_before += fmt::format("auto {} = c.arg<{}>({}); ", name, type, call_.arguments);
  call_.text_before += fmt::format("auto {} = {{{}}}; ", name, call_.arguments);
  call_.arg_types.push_back(type);
  ++call_.arguments;
}

bool CallWriter::write_position(const std::vector<Parameter>& parameters, std::size_t& index) {
  const Parameter& parameter = parameters[index];
  if (!parameter.is_iterator || parameter.reference == "&&" || !model_.has_begin) return false;
  if (parameter.reference == "&" && !parameter.is_const) return false;
  add("object.begin()", "{object}.begin()");
  call_.shown_types.push_back("begin()");
  if (index + 1 < parameters.size() && parameters[index + 1].is_iterator) {
    ++index;
    add("object.end()", "{object}.end()");
    call_.shown_types.push_back("end()");
  }
  return true;
}

bool CallWriter::write_range(const Callable& callable, const std::vector<Parameter>& parameters,
                             std::size_t& index, const TemplateArguments& types) {
  const Parameter& parameter = parameters[index];
  for (std::size_t i = 0; i < callable.template_parameters.size(); ++i) {
    if (!is_iterator_parameter(callable, i) || !names_template_parameter(parameter.type, i))
      continue;
    const std::string name = fmt::format("range{}", call_.arguments);
    const std::string element = types[i].empty() ? "int" : types[i][0];
    bind("std::vector<" + element + ">", name);
    std::string begin = name + ".begin()";
    if (parameter.reference == "&") {
      const std::string place = fmt::format("auto at_{0} = {0}.begin(); ", name);
      call_.code_before += place;
      call_.text_before += place;
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
      // Written to, for as long as the method likes.
      const std::string size = fmt::format("{}.resize(128); ", name);
      call_.code_before += size;
      call_.text_before += size;
      call_.output = name;
    }
    return true;
  }
  return false;
}

// A pointer to plain memory and how much of it there is.
bool CallWriter::write_buffer(const std::vector<Parameter>& parameters, std::size_t& index) {
  const Parameter& parameter = parameters[index];
  if ((parameter.kind != "text" && parameter.kind != "buffer") || parameter.reference == "&")
    return false;
  std::size_t length = index + 1;
  const auto fits = [&](std::size_t at) { return at < parameters.size(); };
  if (!fits(length) || !is_length(parameters[length])) {
    // find(text, position, length)
    ++length;
    if (!fits(length) || !is_surely_length(parameters[length])) return false;
  }
  const bool is_text = parameter.bare == "char" || parameter.bare == "void";
  const std::string name = fmt::format("buffer{}", call_.arguments);
  const std::string type = is_text ? "std::string" : "std::vector<" + parameter.bare + ">";
  if (parameter.is_const) {
    bind(type, name);
    call_.shown_types.push_back(is_text ? "text" : "values");
  } else {
    const std::string declared =
        fmt::format("{} {}(4, {}()); ", type, name, is_text ? "char" : parameter.bare);
    call_.code_before += declared;
    call_.text_before += declared;
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

void CallWriter::write_parameter(const Callable& callable, const Parameter& parameter,
                                 std::size_t index) {
  call_.shown_types.push_back(shown_type(parameter.type, model_));
  if (parameter.belongs_to_object && parameter.type.find('*') == std::string::npos) {
    const std::string name = fmt::format("of_object{}", index);
    call_.code_before += fmt::format("{} {}(c.self<T>()); ", parameter.bare, name);
    call_.text_before += fmt::format("{} {}({{object}}); ", parameter.bare, name);
    const std::string value = parameter.reference == "&" ? name : "std::move(" + name + ")";
    add(value, value);
    return;
  }
  const std::string text = fmt::format("{{{}}}", call_.arguments);
  const int pool = pool_of(options_, callable, parameter, index);
  if (pool >= 0) {
    const bool is_output = parameter.reference == "&" && !parameter.is_const;
    const std::string type = fmt::format("snag_gen_made::Pool{}{}", pool, is_output ? "&" : "");
    add(fmt::format("c.arg<{}>({}).value", type, call_.arguments), text);
  } else {
    add(fmt::format("c.arg<{}>({})", parameter.type, call_.arguments), text);
    call_.arg_types.push_back(parameter.bare);
  }
  ++call_.arguments;
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
    if (write_position(parameters, i) || write_range(callable, parameters, i, types) ||
        write_buffer(parameters, i)) {
      continue;
    }
    write_parameter(callable, substituted(parameter, 0), i);
  }
  return call_;
}

}  // namespace snag::gen
