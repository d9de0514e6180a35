// Small class models for tests, as snag-read-class would have found them.
#pragma once

#include <string>
#include <vector>

#include "tool/gen/model/class_model.h"

namespace snag::gen {

inline Parameter parameter(const std::string& type, const std::string& kind,
                           const std::string& name = "") {
  Parameter result;
  result.type = type;
  result.kind = kind;
  result.name = name;
  result.bare = type;
  if (result.bare.starts_with("const ")) {
    result.bare.erase(0, 6);
    result.is_const = true;
  }
  while (result.bare.ends_with('&') || result.bare.ends_with('*')) {
    if (result.bare.ends_with('&')) result.reference += '&';
    result.bare.pop_back();
  }
  return result;
}

inline Callable method(const std::string& name, std::vector<Parameter> parameters,
                       const std::string& result = "void") {
  Callable callable;
  callable.name = name;
  callable.parameters = std::move(parameters);
  callable.result = result;
  return callable;
}

inline Callable template_method(const std::string& name, std::vector<TemplateParameter> types,
                                std::vector<Parameter> parameters,
                                const std::string& result = "void") {
  Callable callable = method(name, std::move(parameters), result);
  callable.template_parameters = std::move(types);
  return callable;
}

inline ClassModel queue_model(std::vector<Callable> methods) {
  ClassModel model;
  model.class_name = "ns::Queue<int>";
  model.type = "ns::Queue<int>";
  model.short_name = "Queue";
  model.candidates = {"int"};
  model.methods = std::move(methods);
  Callable constructor = method("Queue", {});
  constructor.kind = CallableKind::kConstructor;
  model.constructors = {constructor};
  return model;
}

}  // namespace snag::gen
