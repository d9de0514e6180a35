// Cuts the text of a schedule into tokens. Only the parser uses it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace snag::schedule {

struct Token {
  enum class Kind : unsigned char {
    kEnd,
    kWord,    // the Id of the grammar
    kNumber,  // digits, and letters directly after them
    kArrow,
    kComma,
    kOr,
    kAnd,
    kNot,
    kOpen,  // "("
    kClose,
    kOpenBlock,  // "["
    kCloseBlock,
    kAt,
    kHash,
    kStar,
    kDot,  // "." or "::"
    kUnknown,
  };
  Kind kind = Kind::kEnd;
  std::size_t offset = 0;
  std::string_view text;

  // For messages: "'->'", or "the end of the schedule".
  std::string shown() const;
};

class Tokens {
 public:
  explicit Tokens(std::string_view text);

  const Token& now() const { return now_; }
  // The one after now().
  Token ahead() const;
  // Moves to the next token, and returns the one before.
  Token take();

 private:
  Token read(std::size_t from) const;

  std::string_view text_;
  Token now_;
};

}  // namespace snag::schedule
