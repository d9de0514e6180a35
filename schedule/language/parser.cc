#include "schedule/language/parser.h"

#include <optional>
#include <utility>

#include "schedule/language/tokens.h"

namespace snag::schedule {
namespace {

using Kind = Token::Kind;

// What people write who are used to another language.
std::string_view hint_for(const Token& token) {
  constexpr std::pair<std::string_view, std::string_view> kHints[] = {
      {"and", "; write '&&' for it"},
      {"or", "; write '||' for it"},
      {"not", "; write '!' for it"},
      {"&", "; write '&&'"},
      {"|", "; write '||'"},
      {"-", "; write '->'"},
      {"=", "; write '->'"},
      {">", "; write '->'"},
      {"<", "; write '->', with what comes first on its left"},
      {"~", "; write '!' for it"},
      {";", "; write ',' between two orderings"},
      {":", "; write '::' or '.'"},
      {"\"", "; names of events stand without quotes"},
      {"'", "; names of events stand without quotes"},
  };
  for (const auto& [word, hint] : kHints)
    if (token.text == word) return hint;
  return "";
}

std::optional<EventKind> keyword(std::string_view name) {
  for (const EventKind kind :
       {EventKind::kStart, EventKind::kEnd, EventKind::kBlock, EventKind::kUnblock})
    if (keyword_of(kind) == name) return kind;
  return std::nullopt;
}

// Recursive descent. The first error ends it: every function gives false from then on.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), tokens_(text) {}

  std::variant<Schedule, ParseError> run() {
    while (tokens_.now().kind != Kind::kEnd && chain()) {
      if (tokens_.now().kind == Kind::kEnd) break;
      if (tokens_.now().kind != Kind::kComma) {
        refuse_after_event();
        break;
      }
      tokens_.take();
    }
    if (error_) return std::move(*error_);
    return std::move(schedule_);
  }

 private:
  bool chain() {
    Ordering ordering;
    ordering.offset = tokens_.now().offset;
    if (!condition(ordering.condition)) return false;
    if (tokens_.now().kind != Kind::kArrow) return expected("'->', '&&' or '||'");
    while (tokens_.now().kind == Kind::kArrow) {
      tokens_.take();
      if (!right_side(ordering.event)) return false;
      const EventRef event = ordering.event;
      schedule_.orderings.push_back(std::move(ordering));
      if (tokens_.now().kind == Kind::kArrow && event.occurrence == EventRef::kEvery)
        return fail(event.offset, to_string(event) +
                                      " cannot stand on the left of '->'; say which "
                                      "occurrence is meant, as in '#1'");
      ordering = {{Condition::Op::kHappened, event, {}, event.offset}, {}, event.offset};
    }
    return true;
  }

  bool right_side(EventRef& found) {
    switch (tokens_.now().kind) {
      case Kind::kOpenBlock:
        return fail(tokens_.now().offset,
                    "only an event can stand on the right of '->'; "
                    "'[' and ']' belong into the condition on its left");
      case Kind::kNot:
      case Kind::kOpen:
        return fail(tokens_.now().offset, "only an event can stand on the right of '->', but " +
                                              tokens_.now().shown() + " begins a condition");
      default:
        return event(found, true);
    }
  }

  bool condition(Condition& found) { return joined(found, Kind::kOr); }

  // Disjuncts between "||", or conjuncts between "&&".
  bool joined(Condition& found, Kind sign) {
    const std::size_t offset = tokens_.now().offset;
    std::vector<Condition> parts;
    do {
      if (!parts.empty()) tokens_.take();
      if (!(sign == Kind::kOr ? joined(parts.emplace_back(), Kind::kAnd)
                              : conjunct(parts.emplace_back())))
        return false;
    } while (tokens_.now().kind == sign);
    if (parts.size() == 1) {
      found = std::move(parts[0]);
    } else {
      found.op = sign == Kind::kOr ? Condition::Op::kOr : Condition::Op::kAnd;
      found.parts = std::move(parts);
      found.offset = offset;
    }
    return true;
  }

  bool conjunct(Condition& found) {
    const Token first = tokens_.now();
    switch (first.kind) {
      case Kind::kNot:
        found.op = Condition::Op::kNot;
        found.offset = first.offset;
        return nested([&] {
          tokens_.take();
          return conjunct(found.parts.emplace_back());
        });
      case Kind::kOpen:
        return nested([&] {
          tokens_.take();
          if (!condition(found)) return false;
          if (tokens_.now().kind != Kind::kClose)
            return expected("')' for the '(' at " + place_of(first) + ", '&&' or '||'");
          tokens_.take();
          return true;
        });
      case Kind::kOpenBlock:
        found.op = Condition::Op::kBlocked;
        found.offset = first.offset;
        return block(found.event);
      default:
        found.op = Condition::Op::kHappened;
        found.offset = first.offset;
        return event(found.event, false);
    }
  }

  bool block(EventRef& found) {
    const Token open = tokens_.take();
    if (!event(found, false, true)) return false;
    if (tokens_.now().kind != Kind::kCloseBlock) {
      std::string what = "']' for the '[' at " + place_of(open);
      if (tokens_.now().kind == Kind::kAnd || tokens_.now().kind == Kind::kOr)
        return fail(tokens_.now().offset,
                    "expected " + what + ", but found " + tokens_.now().shown() + "; write '[a] " +
                        std::string(tokens_.now().text) + " [b]' for two events");
      return expected(what);
    }
    tokens_.take();
    if (tokens_.now().kind == Kind::kAt) {
      const std::size_t at = tokens_.take().offset;
      std::string outside;
      if (!thread(outside)) return false;
      if (!found.thread.empty() && found.thread != outside)
        return fail(at, "the event is one of thread " + found.thread + " and of thread " + outside +
                            " at the same time; name one of them");
      found.thread = std::move(outside);
      if (found.kind == EventKind::kNamed && !take_keyword(found)) return false;
    } else if (tokens_.now().kind == Kind::kHash) {
      return fail(tokens_.now().offset, "the occurrence stands inside the brackets; write '[" +
                                            to_string(found) + "#...]'");
    }
    if (found.kind == EventKind::kEnd)
      return fail(open.offset, "a thread that has ended is never blocked, so [" + to_string(found) +
                                   "] can never hold");
    return true;
  }

  // `in_block`: the thread may still come behind the bracket.
  bool event(EventRef& found, bool right, bool in_block = false) {
    found = {};
    found.offset = tokens_.now().offset;
    if (tokens_.now().kind != Kind::kWord) {
      if (tokens_.now().kind == Kind::kNumber)
        return expected("an event", "; names do not begin with a digit");
      return expected(right || in_block ? "an event" : "an event, '[', '(' or '!'");
    }
    found.name = tokens_.take().text;
    while (tokens_.now().kind == Kind::kDot) {
      tokens_.take();
      if (tokens_.now().kind != Kind::kWord) return expected("the rest of the event's name");
      found.name += '.';
      found.name += tokens_.take().text;
    }
    if (tokens_.now().kind == Kind::kAt) {
      tokens_.take();
      if (!thread(found.thread)) return false;
      if (!take_keyword(found)) return false;
    }
    if (tokens_.now().kind == Kind::kHash && !occurrence(found, right)) return false;
    return true;
  }

  // start@t and its like, once the thread is known.
  bool take_keyword(EventRef& found) {
    const auto kind = keyword(found.name);
    if (!kind) return true;
    found.kind = *kind;
    found.name.clear();
    if (found.has_occurrence) return check_keyword_occurrence(found);
    return true;
  }

  bool check_keyword_occurrence(const EventRef& found) {
    if (found.kind != EventKind::kStart && found.kind != EventKind::kEnd) return true;
    return fail(found.offset, "a thread " + std::string(keyword_of(found.kind)) +
                                  "s only once; write " + std::string(keyword_of(found.kind)) +
                                  "@" + found.thread + " without '#'");
  }

  bool thread(std::string& found) {
    if (tokens_.now().kind != Kind::kWord) return expected("the name of a thread");
    found = tokens_.take().text;
    if (tokens_.now().kind == Kind::kDot)
      return fail(tokens_.now().offset, "the name of a thread has no '.' and no '::' in it");
    return true;
  }

  bool occurrence(EventRef& found, bool right) {
    tokens_.take();
    const Token number = tokens_.now();
    found.has_occurrence = true;
    if (number.kind == Kind::kStar) {
      if (!right)
        return fail(number.offset,
                    "'#*' (every occurrence) can only stand on the right of '->'; "
                    "say which occurrence is meant, as in '#1'");
      found.occurrence = EventRef::kEvery;
    } else if (number.kind != Kind::kNumber) {
      return expected(right ? "a number from 1, or '*' for every occurrence" : "a number from 1",
                      "");
    } else {
      std::uint32_t value = 0;
      for (const char c : number.text) {
        if (c < '0' || c > '9') return expected("a number from 1");
        value = value * 10 + static_cast<std::uint32_t>(c - '0');
        if (value > kMaxOccurrence)
          return fail(number.offset,
                      "occurrences are counted up to " + std::to_string(kMaxOccurrence) + " only");
      }
      if (value == 0)
        return fail(number.offset, "occurrences are counted from 1; write '#1' for the first");
      found.occurrence = value;
    }
    tokens_.take();
    if (tokens_.now().kind == Kind::kAt)
      return fail(tokens_.now().offset,
                  "the thread stands before the occurrence, as in 'put@adder#2'");
    return check_keyword_occurrence(found);
  }

  // Behind a complete ordering.
  void refuse_after_event() {
    const Token& token = tokens_.now();
    const EventRef& event = schedule_.orderings.back().event;
    if (token.kind == Kind::kAnd || token.kind == Kind::kOr) {
      fail(token.offset,
           "only one event can stand on the right of '->'" +
               std::string(token.kind == Kind::kAnd ? "; write 'a -> b, a -> c' for 'a -> b && c'"
                                                    : ""));
    } else if (token.kind == Kind::kWord && event.kind == EventKind::kNamed) {
      expected("',' before the next ordering");
    } else {
      expected("',', '->' or the end of the schedule");
    }
  }

  template <typename Body>
  bool nested(Body body) {
    if (depth_ == kMaxNesting)
      return fail(tokens_.now().offset, "the condition is nested more than " +
                                            std::to_string(kMaxNesting) + " deep; simplify it");
    ++depth_;
    const bool good = body();
    --depth_;
    return good;
  }

  bool expected(const std::string& what, std::optional<std::string_view> hint = std::nullopt) {
    const Token& token = tokens_.now();
    const std::string found =
        token.kind == Kind::kEnd ? "the schedule ends here" : "found " + token.shown();
    return fail(token.offset, "expected " + what + ", but " + found +
                                  std::string(hint ? *hint : hint_for(token)));
  }

  bool fail(std::size_t offset, std::string message) {
    if (!error_) error_ = ParseError{offset, std::move(message)};
    return false;
  }

  std::string place_of(const Token& token) const {
    const LineAndColumn place = position_of(text_, token.offset);
    return (text_.find('\n') == std::string_view::npos
                ? ""
                : "line " + std::to_string(place.line) + ", ") +
           "column " + std::to_string(place.column);
  }

  std::string_view text_;
  Tokens tokens_;
  Schedule schedule_;
  std::optional<ParseError> error_;
  int depth_ = 0;
};

}  // namespace

std::variant<Schedule, ParseError> parse(std::string_view text) {
  if (text.size() > kMaxText)
    return ParseError{0, "the schedule is longer than " + std::to_string(kMaxText) + " characters"};
  return Parser(text).run();
}

}  // namespace snag::schedule
