#include "report/object_names.h"

#include <fmt/format.h>

namespace snag::report {

void ObjectNames::add(std::uint64_t object, const std::string& expression) {
  if (object == 0 || expression.empty()) return;
  expressions_[object].insert(expression);
  objects_[expression].insert(object);
}

std::string ObjectNames::variable_at(std::uint64_t object) {
  const auto [entry, is_new] = variables_.try_emplace(object);
  if (is_new) entry->second = symbolizer_->global_variable(*modules_, object);
  return entry->second;
}

std::string ObjectNames::letter(std::uint64_t object) {
  const std::size_t number = letters_.try_emplace(object, letters_.size()).first->second;
  const char letter = static_cast<char>('A' + number % 26);
  return number < 26 ? std::string(1, letter) : fmt::format("{}{}", letter, number / 26);
}

std::string ObjectNames::name(std::uint64_t object, const std::string& expression) {
  if (object == 0) return "";
  const std::string variable = variable_at(object);
  if (!variable.empty() && variable.find('+') == std::string::npos) return variable;
  const auto known = expressions_.find(object);
  const bool one_name = known != expressions_.end() && known->second.size() == 1 &&
                        objects_[*known->second.begin()].size() == 1;
  if (one_name) return *known->second.begin();
  if (!variable.empty()) return variable;
  return expression.empty() ? letter(object) : fmt::format("{} ({})", letter(object), expression);
}

}  // namespace snag::report
