#include "tool/gen/build/config_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <fstream>
#include <sstream>

#include "tool/gen/model/text_parts.h"

namespace snag::gen {
namespace {

std::string place(const toml::node& node) {
  return fmt::format("line {}", node.source().begin.line);
}

// A string, or a list of strings.
Expected<std::vector<std::string>> strings(const toml::node& node, std::string_view key) {
  std::vector<std::string> result;
  if (const auto one = node.value<std::string>()) return std::vector<std::string>{*one};
  if (const toml::array* list = node.as_array()) {
    for (const toml::node& element : *list) {
      const auto text = element.value<std::string>();
      if (!text)
        return usage_error(
            fmt::format("{}: '{}' must be a string, or a list of them", place(element), key));
      result.push_back(*text);
    }
    return result;
  }
  return usage_error(fmt::format("{}: '{}' must be a string, or a list of them", place(node), key));
}

Expected<std::string> value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return std::string(flag->get() ? "true" : "false");
  return usage_error(
      fmt::format("{}: values of [arg-pool] are strings of C++, numbers or booleans", place(node)));
}

Expected<void> read_pools(const toml::node& node, GenTarget& options) {
  const toml::table* table = node.as_table();
  if (table == nullptr)
    return usage_error(fmt::format("{}: 'arg-pool' must be a table: [arg-pool]", place(node)));
  for (const auto& [key, values] : *table) {
    ArgPool pool{std::string(key.str()), {}};
    const toml::array* list = values.as_array();
    if (list == nullptr || list->empty()) {
      return usage_error(
          fmt::format("{}: '{}' needs a list of values, as in [1, 2]", place(values), key.str()));
    }
    for (const toml::node& element : *list) {
      auto text = value_text(element);
      if (!text) return tl::unexpected(text.error());
      pool.values.push_back(std::move(*text));
    }
    options.pools.push_back(std::move(pool));
  }
  return {};
}

Expected<void> read_entry(std::string_view key, const toml::node& node, GenTarget& options) {
  if (key == "arg-pool") return read_pools(node, options);
  auto values = strings(node, key);
  if (!values) return tl::unexpected(values.error());
  const auto append = [&](std::vector<std::string>& to) {
    to.insert(to.end(), values->begin(), values->end());
  };
  if (key == "class") {
    if (values->size() != 1)
      return usage_error(fmt::format("{}: 'class' must be one string", place(node)));
    if (options.class_name.empty()) options.class_name = values->front();
  } else if (key == "header") {
    append(options.headers);
  } else if (key == "flags") {
    options.flags.insert(options.flags.begin(), values->begin(), values->end());
  } else if (key == "factory") {
    append(options.factories);
  } else if (key == "include") {
    append(options.include);
  } else if (key == "exclude") {
    append(options.exclude);
  } else {
    return usage_error(fmt::format(
        "{}: there is no '{}'; write class, header, flags, factory, include, exclude or [arg-pool]",
        place(node), key));
  }
  return {};
}

}  // namespace

Expected<ArgPool> parse_arg_pool(const std::string& text) {
  const std::size_t equals = text.find('=');
  ArgPool pool;
  if (equals != std::string::npos) {
    pool.target = text.substr(0, equals);
    while (pool.target.ends_with(' ')) pool.target.pop_back();
    pool.values = split_at_commas(std::string_view(text).substr(equals + 1));
  }
  bool has_empty = pool.target.empty() || pool.values.empty();
  for (const std::string& value : pool.values) has_empty = has_empty || value.empty();
  if (has_empty) {
    return usage_error(
        fmt::format("needs a type, or a method and its parameter, and values, as in 'int=1,2' or "
                    "'resize.n=1,2', not '{}'",
                    text));
  }
  return pool;
}

Expected<void> parse_config(std::string_view text, const std::string& path, GenTarget& options) {
  toml::table table;
  try {
    table = toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    return usage_error(
        fmt::format("'{}', line {}: {}", path, error.source().begin.line, error.description()));
  }
  for (const auto& [key, node] : table) {
    if (auto read = read_entry(key.str(), node, options); !read)
      return usage_error(fmt::format("'{}', {}", path, read.error().message));
  }
  return {};
}

Expected<void> read_config(const std::string& path, GenTarget& options) {
  std::ifstream file(path);
  std::stringstream text;
  if (!file || !(text << file.rdbuf()))
    return usage_error(fmt::format("cannot read the configuration file '{}'", path));
  return parse_config(text.str(), path, options);
}

}  // namespace snag::gen
