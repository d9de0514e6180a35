// The values of options: which ones are valid, and the messages for others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tool/base/error.h"

namespace snag::cli {

Expected<std::uint64_t> parse_number(const std::string& text, std::uint64_t min, std::uint64_t max);
// More than 0.
Expected<double> parse_seconds(const std::string& text, std::uint64_t max);

// must be "fail" or "off", not 'x'
tl::unexpected<Error> must_be(std::span<const std::string_view> words, const std::string& text);

}  // namespace snag::cli
