// Reads fields of untrusted JSON. A field that is missing or malformed reads as an empty value, and
// the first such problem is kept, so that the caller needs to check for one only once, at the end.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace snag {

class JsonReader {
 public:
  using Json = nlohmann::json;

  const std::string& problem() const { return problem_; }
  bool ok() const { return problem_.empty(); }
  void fail(std::string problem) {
    if (ok()) problem_ = std::move(problem);
  }

  const Json& field(const Json& object, const char* name) {
    static const Json kNothing;
    if (!object.is_object()) return kNothing;
    const auto found = object.find(name);
    if (found != object.end()) return *found;
    fail(fmt::format("'{}' is missing", name));
    return kNothing;
  }
  const Json& object(const Json& parent, const char* name) {
    const Json& value = field(parent, name);
    if (!value.is_object()) fail(fmt::format("'{}' is not an object", name));
    return value;
  }
  const Json& list(const Json& parent, const char* name, std::size_t limit) {
    static const Json kEmpty = Json::array();
    const Json& value = field(parent, name);
    if (!value.is_array() || value.size() > limit) {
      fail(fmt::format("'{}' is not a list of at most {} elements", name, limit));
      return kEmpty;
    }
    return value;
  }
  std::string text(const Json& value, const char* name) {
    const auto* text = value.get_ptr<const std::string*>();
    if (text == nullptr || text->size() > kMaxString || text->find('\0') != std::string::npos) {
      fail(fmt::format("'{}' is not a string", name));
      return "";
    }
    return *text;
  }
  std::string text_field(const Json& parent, const char* name) {
    return text(field(parent, name), name);
  }

  bool flag_field(const Json& parent, const char* name) {
    const auto* flag = field(parent, name).get_ptr<const bool*>();
    if (flag == nullptr) fail(fmt::format("'{}' is not true or false", name));
    return flag != nullptr && *flag;
  }

  std::uint64_t number(const Json& value, const char* name, std::uint64_t limit,
                       std::uint64_t least = 0) {
    const auto* number = value.get_ptr<const Json::number_unsigned_t*>();
    if (number == nullptr || *number > limit || *number < least) {
      fail(fmt::format("'{}' is not a number from {} to {}", name, least, limit));
      return least;
    }
    return *number;
  }
  std::uint64_t number_field(const Json& parent, const char* name, std::uint64_t limit,
                             std::uint64_t least = 0) {
    return number(field(parent, name), name, limit, least);
  }
  std::int32_t signed_field(const Json& parent, const char* name) {
    const Json& value = field(parent, name);
    const std::int64_t number = value.is_number_integer() ? value.get<std::int64_t>() : INT64_MAX;
    if (number < INT32_MIN || number > INT32_MAX) {
      fail(fmt::format("'{}' is not a 32-bit number", name));
      return 0;
    }
    return static_cast<std::int32_t>(number);
  }
  std::uint64_t hash_field(const Json& parent, const char* name) {
    return digits(text_field(parent, name), 16, name, std::numeric_limits<std::uint64_t>::max());
  }
  std::uint64_t digits(std::string_view digits, int base, const char* name, std::uint64_t limit) {
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc{} || end != digits.data() + digits.size() || value > limit) {
      fail(fmt::format("'{}' has a bad number", name));
      return 0;
    }
    return value;
  }
  template <class Parse>
  auto name_field(const Json& parent, const char* name, Parse parse) {
    const auto value = parse(text_field(parent, name));
    if (!value) fail(fmt::format("'{}' has an unknown name", name));
    return value.value_or(typename decltype(value)::value_type{});
  }

 private:
  static constexpr std::size_t kMaxString = 64 * 1024;

  std::string problem_;
};

}  // namespace snag
