#include "tool/gen/model/class_model.h"

#include <nlohmann/json.hpp>

#include "tool/base/json.h"

namespace snag::gen {
namespace {

using nlohmann::json;

CallableKind kind_named(const std::string& name, CallableKind otherwise) {
  if (name == "method") return CallableKind::kMethod;
  if (name == "operator") return CallableKind::kOperator;
  if (name == "conversion") return CallableKind::kConversion;
  if (name == "copy") return CallableKind::kCopy;
  return otherwise;
}

Parameter parse_parameter(const json& from) {
  Parameter parameter;
  parameter.type = from.at("type");
  parameter.name = from.at("name");
  parameter.kind = from.at("kind");
  parameter.bare = from.at("bare");
  parameter.reference = from.at("reference");
  parameter.has_default = from.at("default");
  parameter.is_pack = from.at("pack");
  parameter.is_const = from.at("const");
  parameter.is_under_test = from.at("under_test");
  parameter.is_iterator = from.at("iterator");
  parameter.is_const_iterator = from.at("const_iterator");
  parameter.belongs_to_object = from.at("of_object");
  return parameter;
}

Callable parse_callable(const json& from, CallableKind otherwise) {
  Callable callable;
  callable.kind = kind_named(from.value("kind", ""), otherwise);
  callable.name = from.at("name");
  callable.symbol = from.value("symbol", "");
  callable.result = from.at("result");
  callable.reference = from.value("reference", "");
  callable.factory = from.value("factory", "");
  callable.inherited_from = from.value("inherited_from", "");
  callable.function = from.value("function", "");
  callable.is_const = from.value("const", false);
  callable.is_volatile = from.value("volatile", false);
  callable.is_static = from.value("static", false);
  callable.is_deprecated = from.at("deprecated");
  for (const json& parameter : from.at("parameters"))
    callable.parameters.push_back(parse_parameter(parameter));
  if (!from.contains("template")) return callable;
  for (const json& parameter : from.at("template")) {
    callable.template_parameters.push_back({parameter.at("name"), parameter.at("kind") == "type",
                                            parameter.at("pack"), parameter.at("default")});
  }
  return callable;
}

std::vector<Callable> parse_callables(const json& from, CallableKind otherwise) {
  std::vector<Callable> callables;
  for (const json& callable : from) callables.push_back(parse_callable(callable, otherwise));
  return callables;
}

ClassModel parse(const json& from) {
  ClassModel model;
  model.class_name = from.at("class");
  model.type = from.at("type");
  model.short_name = from.at("short_name");
  model.file = from.at("file");
  model.line = from.at("line");
  model.is_abstract = from.at("abstract");
  model.has_begin = from.at("has_begin");
  model.candidates = from.at("candidates").get<std::vector<std::string>>();
  model.class_arguments = from.at("class_arguments").get<std::vector<std::string>>();
  model.makers = from.at("makers").get<std::vector<std::string>>();
  model.constructors = parse_callables(from.at("constructors"), CallableKind::kConstructor);
  model.creators = parse_callables(from.at("creators"), CallableKind::kCreator);
  model.methods = parse_callables(from.at("methods"), CallableKind::kMethod);
  for (const json& other : from.at("classes")) {
    model.classes.push_back({other.at("type"), other.at("abstract"), other.at("default"),
                             parse_callables(other.at("constructors"), CallableKind::kConstructor),
                             other.value("derived", std::vector<std::string>())});
  }
  return model;
}

}  // namespace

Expected<ClassModel> parse_class_model(std::string_view text) {
  try {
    return parse(parse_json(text));
  } catch (const json::exception& error) {
    return internal_error(std::string("what snag-read-class has found cannot be read: ") +
                          error.what());
  }
}

}  // namespace snag::gen
