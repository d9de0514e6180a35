#include "schedule/language/tokens.h"

#include <algorithm>
#include <array>
#include <utility>

namespace snag::schedule {
namespace {

using Kind = Token::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 14> kSigns = {{
    {"->", Kind::kArrow},
    {"||", Kind::kOr},
    {"&&", Kind::kAnd},
    {"::", Kind::kDot},
    {",", Kind::kComma},
    {"!", Kind::kNot},
    {"(", Kind::kOpen},
    {")", Kind::kClose},
    {"[", Kind::kOpenBlock},
    {"]", Kind::kCloseBlock},
    {"@", Kind::kAt},
    {"#", Kind::kHash},
    {"*", Kind::kStar},
    {".", Kind::kDot},
}};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
// C++ allows letters of all languages in names: every character that is not ASCII counts as a
// letter.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::string Token::shown() const {
  if (kind == Kind::kEnd) return "the end of the schedule";
  // A control character alone would be unreadable.
  if (kind == Kind::kUnknown && (static_cast<unsigned char>(text[0]) < 32 || text[0] == 127)) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(text[0]);
    return std::string("the character 0x") + kDigits[code / 16] + kDigits[code % 16];
  }
  constexpr std::size_t kLongest = 40;
  if (text.size() <= kLongest) return "'" + std::string(text) + "'";
  return "'" + std::string(text.substr(0, kLongest)) + "...'";
}

Tokens::Tokens(std::string_view text) : text_(text), now_(read(0)) {}

Token Tokens::ahead() const { return read(now_.offset + now_.text.size()); }

Token Tokens::take() { return std::exchange(now_, ahead()); }

Token Tokens::read(std::size_t from) const {
  const std::size_t behind_last = from;
  while (from < text_.size() && is_space(text_[from])) ++from;
  const std::string_view rest = text_.substr(from);
  if (rest.empty()) return {Kind::kEnd, behind_last, rest};
  if (is_letter(rest[0]) || is_digit(rest[0])) {
    const auto end = std::find_if_not(rest.begin(), rest.end(),
                                      [](char c) { return is_letter(c) || is_digit(c); });
    return {is_digit(rest[0]) ? Kind::kNumber : Kind::kWord, from,
            rest.substr(0, static_cast<std::size_t>(end - rest.begin()))};
  }
  for (const auto& [sign, kind] : kSigns)
    if (rest.substr(0, sign.size()) == sign) return {kind, from, rest.substr(0, sign.size())};
  return {Kind::kUnknown, from, rest.substr(0, 1)};
}

}  // namespace snag::schedule
