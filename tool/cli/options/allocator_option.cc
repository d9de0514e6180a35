#include "tool/cli/options/allocator_option.h"

#include <fmt/format.h>

#include <string_view>

namespace snag::cli {
namespace {

// "Pool::take@2": a name, and perhaps the position of an argument.
bool is_function(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::string_view name = text.substr(0, at);
  if (name.empty() || name.find_first_of(";/@\n") != name.npos) return false;
  if (at == text.npos) return true;
  const std::string_view position = text.substr(at + 1);
  return position.size() == 1 && position[0] >= '1' && position[0] <= '6';
}

bool are_functions(std::string_view list) {
  for (;;) {
    const std::size_t comma = list.find(',');
    if (!is_function(list.substr(0, comma))) return false;
    if (comma == list.npos) return true;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

Expected<void> add_allocator(AllocatorNames& names, const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos || !are_functions(std::string_view(text).substr(0, slash)) ||
      !are_functions(std::string_view(text).substr(slash + 1))) {
    return usage_error(
        fmt::format("must be two functions as in my_alloc/my_free, or Pool::take@2/Pool::give@2 "
                    "if the second argument is the size and the block, not '{}'",
                    text));
  }
  std::string all = names.text;
  if (!all.empty()) all += ';';
  all += text;
  if (all.size() >= AllocatorNames::kSize)
    return usage_error(fmt::format("is too long: all names together may have {} characters",
                                   AllocatorNames::kSize - 1));
  all.copy(names.text, all.size());
  names.text[all.size()] = 0;
  return {};
}

}  // namespace snag::cli
