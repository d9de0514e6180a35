#include "tool/base/json.h"

#include <nlohmann/json.hpp>

namespace snag {

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text); }

nlohmann::json try_parse_json(std::string_view text) {
  return nlohmann::json::parse(text, nullptr, false);
}

std::string json_text(const nlohmann::ordered_json& json, int indent, bool ascii_only) {
  return json.dump(indent, ' ', ascii_only, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace snag
