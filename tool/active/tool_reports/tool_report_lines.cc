#include "tool/active/tool_reports/tool_report_lines.h"

#include <algorithm>
#include <charconv>

#include "tool/base/text.h"

namespace snag::active {
namespace {

// The most frames of one stack, and stacks of one entry: more would say nothing new.
constexpr std::size_t kMaxFrames = 16;
constexpr std::size_t kMaxSides = kMaxDirectedSides;
constexpr std::size_t kMaxName = 1024;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

// The line number in the text; 0 if there is none.
template <class T>
T number_at(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? value : T(0);
}

std::uint32_t number_after(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  return at == std::string_view::npos ? 0 : number_at<std::uint32_t>(text.substr(at + word.size()));
}

// The hexadecimal number after the word; 0 if there is none.
std::uint64_t address_after(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + word.size());
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc() ? value : 0;
}

// Takes ":12" from the end of the text; 0: there is none.
int take_number(std::string_view& text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_decimal_digit(text[begin - 1])) --begin;
  if (begin == text.size() || begin < 2 || text[begin - 1] != ':') return 0;
  const int value = number_at<int>(text.substr(begin));
  if (value > 0) text.remove_suffix(text.size() - begin + 1);
  return std::max(value, 0);
}

// "/src/race.cc:10:44", "race.cc:10"
void set_location(ReportFrame& frame, std::string_view text) {
  const int last = take_number(text);
  if (last == 0) return;
  const int before = take_number(text);
  frame.line = before != 0 ? before : last;
  frame.column = before != 0 ? last : 0;
  frame.file = text.substr(0, kMaxName);
}

// Functions that give memory back, as the innermost ones of a stack.
bool gives_back(std::string_view function) {
  return function.starts_with("operator delete") || function == "free" || function == "cfree" ||
         function == "realloc";
}

// Allocation functions: a write that a tool attributes to them is not the program's.
bool gives_out(std::string_view function) {
  return function.starts_with("operator new") || function == "malloc" || function == "calloc";
}

ReportAccess access_in(std::string_view text) {
  if (contains(text, "rite of size") || contains(text, "store by")) return ReportAccess::kWrite;
  if (contains(text, "ead of size") || contains(text, "load by")) return ReportAccess::kRead;
  return ReportAccess::kUnknown;
}

}  // namespace

std::optional<StackLine> tsan_stack_line(std::string_view line) {
  // A log collector may have added a prefix.
  std::size_t begin = line.find('#');
  while (begin != std::string_view::npos &&
         (begin + 1 >= line.size() || !is_decimal_digit(line[begin + 1]) ||
          (begin > 0 && line[begin - 1] != ' ' && line[begin - 1] != '\t')))
    begin = line.find('#', begin + 1);
  if (begin == std::string_view::npos) return std::nullopt;
  line.remove_prefix(begin + 1);
  StackLine result;
  result.number = number_at<std::uint32_t>(line);
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) return result;
  line = trimmed(line.substr(space));
  result.code = address_after(line, "+0x");
  // The module and its build follow.
  while (line.ends_with(')')) {
    const std::size_t open = line.rfind(" (");
    if (open == std::string_view::npos) break;
    const std::string_view inside = line.substr(open);
    if (!contains(inside, "+0x") && !contains(inside, "BuildId")) break;
    line = trimmed(line.substr(0, open));
  }
  // Function names contain spaces, and so may paths that begin with a slash.
  std::size_t location = line.find(" /");
  if (location == std::string_view::npos) location = line.rfind(' ');
  if (location == std::string_view::npos) location = line.size();
  result.frame.function = line.substr(0, std::min(location, kMaxName));
  if (location < line.size()) set_location(result.frame, line.substr(location + 1));
  return result;
}

std::optional<StackLine> valgrind_stack_line(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("at 0x") && !line.starts_with("by 0x")) return std::nullopt;
  StackLine result;
  result.code = address_after(line, " 0x");
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) return result;
  line.remove_prefix(colon + 2);
  const std::size_t open = line.rfind(" (");
  result.frame.function = line.substr(0, std::min(open, kMaxName));
  if (open != std::string_view::npos && line.ends_with(')'))
    set_location(result.frame, line.substr(open + 2, line.size() - open - 3));
  return result;
}

void OpenEntry::begin(Kind kind, std::uint64_t line) {
  end();
  entry_ = {};
  entry_.kind = kind;
  entry_.line = line;
  is_open_ = true;
  has_side_ = false;
  address_ = 0;
}

void OpenEntry::set_address(std::uint64_t address) {
  if (address_ == 0) address_ = address;
}

void OpenEntry::memory_line(std::string_view text) {
  // ThreadSanitizer also names stacks, which are not variables.
  if (!is_open_ || entry_.memory.kind != MemoryPart::Kind::kUnknown) return;
  if (const auto memory = memory_in(text, address_))
    entry_.memory = *memory;
  else if (!entry_.memory.variable.empty() && text.starts_with("a global variable declared"))
    entry_.memory.kind = MemoryPart::Kind::kVariable;
}

void OpenEntry::begin_side(ReportAccess access, std::uint32_t size) {
  has_side_ = is_open_ && entry_.sides.size() < kMaxSides;
  next_frame_ = 0;
  if (has_side_) entry_.sides.push_back({access, false, size, 0, {}});
}

void OpenEntry::add(const StackLine& line) {
  if (!has_side_) return;
  ReportSide& side = entry_.sides.back();
  if (next_frame_++ == 0) {
    side.code = line.code;
    side.is_free = gives_back(line.frame.function);
    if (gives_out(line.frame.function)) side.size = 0;
  }
  if (!line.frame.file.empty() && side.frames.size() < kMaxFrames)
    side.frames.push_back(line.frame);
}

void OpenEntry::end() {
  if (!is_open_) return;
  is_open_ = has_side_ = false;
  std::erase_if(entry_.sides, [](const ReportSide& side) { return side.frames.empty(); });
  sink_(std::move(entry_));
}

bool TsanParser::line(std::string_view text, std::uint64_t number) {
  constexpr std::string_view kHeader = "WARNING: ThreadSanitizer: ";
  if (const std::size_t at = text.find(kHeader); at != std::string_view::npos) {
    const std::string_view what = text.substr(at + kHeader.size());
    open_.end();
    if (contains(what, "lock-order-inversion"))
      open_.begin(Kind::kDeadlock, number);
    else if (contains(what, "race") || contains(what, "use-after-free"))
      open_.begin(Kind::kRace, number);
    return true;
  }
  if (contains(text, "SUMMARY: ThreadSanitizer") || contains(text, "ThreadSanitizer: reported")) {
    open_.end();
    return true;
  }
  if (!open_.is_open()) return false;
  if (contains(text, "==================")) {
    open_.end();
  } else if (contains(text, " of size ") && contains(text, " at 0x") && contains(text, " by ") &&
             access_in(text) != ReportAccess::kUnknown) {
    if (open_.kind() == Kind::kRace) {
      open_.set_address(address_after(text, " at 0x"));
      open_.begin_side(access_in(text), number_after(text, " of size "));
    }
  } else if (contains(text, " acquired here while holding mutex ")) {
    if (open_.kind() == Kind::kDeadlock) open_.begin_side(ReportAccess::kUnknown, 0);
  } else if (const auto frame = tsan_stack_line(text)) {
    open_.add(*frame);
  } else {
    // A line of the program's output in between changes nothing: the lines that end a stack are
    // known.
    const std::string_view inner = trimmed(text);
    open_.memory_line(inner);
    for (const std::string_view end :
         {"Location is ", "Thread T", "Mutex M", "As if synchronized", "Hint: ", "Cycle in lock"}) {
      if (contains(inner, end)) open_.end_side();
    }
    if (inner.empty()) open_.end_side();
  }
  return true;
}

bool ValgrindParser::header(std::string_view text, std::uint64_t number) {
  if (contains(text, "Possible data race during ")) {
    open_.begin(Kind::kRace, number);
    open_.set_address(address_after(text, " at 0x"));
    open_.begin_side(access_in(text), number_after(text, " of size "));
    return true;
  }
  if (text.starts_with("Conflicting load by ") || text.starts_with("Conflicting store by ")) {
    open_.begin(Kind::kRace, number);
    open_.set_address(address_after(text, " at 0x"));
    open_.begin_side(access_in(text), number_after(text, " size "));
    return true;
  }
  if (contains(text, "lock order \"") && contains(text, " violated")) {
    open_.begin(Kind::kDeadlock, number);
    return true;
  }
  return false;
}

bool ValgrindParser::line(std::string_view text, std::uint64_t number) {
  text = trimmed(text);
  if (header(text, number)) return true;
  if (!open_.is_open()) return false;
  if (const auto frame = valgrind_stack_line(text)) {
    open_.add(*frame);
    return true;
  }
  if (text.starts_with("This conflicts with a previous ")) {
    // An access that is known only to lie between two others has no place of its own.
    if (access_in(text) == ReportAccess::kUnknown)
      open_.end_side();
    else
      open_.begin_side(access_in(text), number_after(text, " of size "));
    return true;
  }
  if (text.starts_with("followed by a later acquisition of lock")) {
    if (open_.kind() == Kind::kDeadlock) open_.begin_side(ReportAccess::kUnknown, 0);
    return true;
  }
  if (text.starts_with("-----") || text.starts_with("---Thread-Announcement") ||
      text.starts_with("ERROR SUMMARY") || text.starts_with("For lists of detected")) {
    open_.end();
    return true;
  }
  open_.memory_line(text);
  for (const std::string_view end :
       {"Address 0x", "Block was ", "Location 0x", "Other segment ", "Allocation context",
        "Lock at ", "Observed (incorrect)", "Required order ", "declared at ", "but before"}) {
    if (text.starts_with(end)) open_.end_side();
  }
  if (text.empty()) open_.end_side();
  return true;
}

std::optional<ValgrindLine> valgrind_line(std::string_view line) {
  // A log collector may have added a prefix, and the line may have a time stamp.
  constexpr std::size_t kFarthest = 100;
  const std::size_t begin = line.substr(0, kFarthest).find("==");
  if (begin == std::string_view::npos) return std::nullopt;
  const std::size_t inner = begin + 2;
  const std::size_t end = line.substr(0, inner + kFarthest).find("==", inner);
  if (end == std::string_view::npos || end == inner) return std::nullopt;
  const std::string_view process = line.substr(inner, end - inner);
  if (!std::all_of(process.begin(), process.end(),
                   [](char c) { return is_decimal_digit(c) || c == ':' || c == '.' || c == ' '; }))
    return std::nullopt;
  const std::size_t number = process.rfind(' ');
  return ValgrindLine{number == std::string_view::npos ? process : process.substr(number + 1),
                      line.substr(end + 2)};
}

}  // namespace snag::active
