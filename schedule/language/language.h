// The language of event schedules as a tree: what the parser makes of a text, and what the checks
// and the monitor work on. docs/reference/schedule-language.md describes it for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snag::schedule {

// No schedule written by hand comes near these limits.
inline constexpr std::size_t kMaxText = 16 * 1024;
inline constexpr int kMaxNesting = 100;
inline constexpr std::uint32_t kMaxOccurrence = 1'000'000;

enum class EventKind : std::uint8_t {
  kNamed,  // SNAG_EVENT
  kStart,  // of a thread, and so on
  kEnd,
  kBlock,
  kUnblock,
};

// "start", "end", "block" or "unblock".
std::string_view keyword_of(EventKind kind);

struct EventRef {
  static constexpr std::uint32_t kEvery = UINT32_MAX;  // e#*, only on the right

  EventKind kind = EventKind::kNamed;
  std::string name;    // with "." between its parts; empty unless kNamed
  std::string thread;  // empty: any
  std::uint32_t occurrence = 1;
  bool has_occurrence = false;  // whether it was written
  std::size_t offset = 0;       // in the text, in bytes

  // The first one for e#*.
  std::uint32_t first_occurrence() const { return occurrence == kEvery ? 1 : occurrence; }
  // e for e#*, otherwise itself.
  EventRef first() const {
    EventRef result = *this;
    result.occurrence = first_occurrence();
    result.has_occurrence = has_occurrence && occurrence != kEvery;
    return result;
  }
};

struct Condition {
  enum class Op : std::uint8_t {
    kHappened,  // event
    kBlocked,   // [event]
    kNot,       // parts[0]
    kAnd,       // at least two parts
    kOr,
  };

  Op op = Op::kHappened;
  EventRef event;  // of kHappened and kBlocked
  std::vector<Condition> parts;
  std::size_t offset = 0;
};

struct Ordering {
  Condition condition;
  EventRef event;
  std::size_t offset = 0;
};

struct Schedule {
  std::vector<Ordering> orderings;
};

// As they could stand in a schedule, with as few parentheses and blanks as is usual.
std::string to_string(const EventRef& event);
std::string to_string(const Condition& condition);
std::string to_string(const Ordering& ordering);
std::string to_string(const Schedule& schedule);

// The name of an event as the tree has it: "a :: b" becomes "a.b".
std::string normal_name(std::string_view name);

// A message about a place in a text.
struct Fault {
  std::size_t offset = 0;
  std::string message;
};

struct LineAndColumn {
  std::size_t line = 1, column = 1;  // the column in characters, not bytes
};
LineAndColumn position_of(std::string_view text, std::size_t offset);

// The message, its place, the line of the text, and a caret below the place:
//   column 3: expected '->' or ',', but the schedule ends here
//     ab
//       ^
// A message may have further lines; they come last.
std::string message_with_caret(std::string_view text, const Fault& fault);

}  // namespace snag::schedule
