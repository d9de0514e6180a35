// JSON as text. Only json.cc contains the parser and the writer, which take seconds to compile.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace snag {

// Throws nlohmann::json::exception if this is not JSON.
nlohmann::json parse_json(std::string_view text);
// A value for which is_discarded() is true if this is not JSON.
nlohmann::json try_parse_json(std::string_view text);

// With `indent` spaces a level; negative: in one line. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& json, int indent, bool ascii_only = false);

}  // namespace snag
