#include "tool/report/view/object_names.h"

#include <fmt/format.h>

namespace snag::report {

void ObjectNames::add(std::uint64_t object, const std::string& expression) {
  if (object == 0 || expression.empty()) return;
  expressions_[object].insert(expression);
  objects_[expression].insert(object);
}

void ObjectNames::add_known(std::uint64_t object, const std::string& name) {
  known_[object] = name;
  objects_[name].insert(object);
}

std::string ObjectNames::global_at(std::uint64_t object) {
  const auto [entry, is_new] = globals_.try_emplace(object);
  if (is_new) {
    // The size of the access is unknown here; one byte is part of any object there.
    const auto global = variables_.global(modules_, object, 1);
    if (global && global->certain) entry->second = global->text;
  }
  return entry->second;
}

std::string ObjectNames::letter(std::uint64_t object) {
  const std::size_t number = letters_.try_emplace(object, letters_.size()).first->second;
  const char letter = static_cast<char>('A' + number % 26);
  return number < 26 ? std::string(1, letter) : fmt::format("{}{}", letter, number / 26);
}

std::string ObjectNames::name(std::uint64_t object, const std::string& expression) {
  if (object == 0) return "";
  const std::string global = global_at(object);
  if (!global.empty()) return global;
  const auto is_unique = [&](const std::string& text) { return objects_[text].size() == 1; };
  const auto known = known_.find(object);
  if (known != known_.end() && is_unique(known->second)) return known->second;
  const auto called = expressions_.find(object);
  if (known == known_.end() && called != expressions_.end() && called->second.size() == 1 &&
      is_unique(*called->second.begin())) {
    return *called->second.begin();
  }
  return expression.empty() ? letter(object) : fmt::format("{} ({})", letter(object), expression);
}

}  // namespace snag::report
