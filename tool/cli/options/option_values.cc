#include "tool/cli/options/option_values.h"

#include <fmt/format.h>

#include <charconv>

namespace snag::cli {

Expected<std::uint64_t> parse_number(const std::string& text, std::uint64_t min,
                                     std::uint64_t max) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < min || value > max)
    return usage_error(fmt::format("needs a number from {} to {}, not '{}'", min, max, text));
  return value;
}

Expected<double> parse_seconds(const std::string& text, std::uint64_t max) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Written so that "nan" fails too.
  if (error != std::errc{} || end != text.data() + text.size() ||
      !(value > 0 && value <= static_cast<double>(max))) {
    return usage_error(
        fmt::format("needs a number of seconds, more than 0 and at most {}, not '{}'", max, text));
  }
  return value;
}

tl::unexpected<Error> must_be(std::span<const std::string_view> words, const std::string& text) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    list += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    list += fmt::format("\"{}\"", words[i]);
  }
  return usage_error(fmt::format("must be {}, not '{}'", list, text));
}

}  // namespace snag::cli
