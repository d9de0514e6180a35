#include "report/source_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>

namespace snag::report {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
// Longer ones do not help.
constexpr std::size_t kMaxExpression = 40;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 20> kWords = {
      "return",   "if",    "while", "for",     "do",   "else",   "auto",
      "const",    "int",   "new",   "delete",  "this", "sizeof", "switch",
      "co_await", "throw", "false", "nullptr", "true", "bool"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

std::size_t skip_blanks_back(std::string_view line, std::size_t end) {
  while (end > 0 && is_blank(line[end - 1])) --end;
  return end;
}

// The opening bracket of the closing one before `end`.
std::size_t matching_open(std::string_view line, std::size_t end) {
  int depth = 0;
  for (std::size_t i = end; i-- > 0;) {
    if (line[i] == ')' || line[i] == ']') ++depth;
    if (line[i] == '(' || line[i] == '[') {
      if (--depth == 0) return i;
    }
  }
  return kNone;
}

// The expression that ends before `end`: names, members, subscripts and calls in a row.
std::string expression_before(std::string_view line, std::size_t end) {
  end = skip_blanks_back(line, end);
  std::size_t begin = end;
  while (begin > 0) {
    const char c = line[begin - 1];
    if (c == ']' || c == ')') {
      const std::size_t open = matching_open(line, begin);
      // A bracket with nothing to call or to index in front is something else.
      if (open == kNone || open == 0 || !(is_word(line[open - 1]) || line[open - 1] == ']')) break;
      begin = open;
    } else if (is_word(c)) {
      while (begin > 0 && is_word(line[begin - 1])) --begin;
      const std::string_view before = line.substr(0, begin);
      if (before.ends_with("->") || before.ends_with("::")) {
        begin -= 2;
      } else if (before.ends_with(".")) {
        begin -= 1;
      } else {
        break;
      }
    } else {
      break;
    }
  }
  std::string_view text = line.substr(begin, end - begin);
  if (text.starts_with("this->")) text.remove_prefix(6);
  const std::string_view first = text.substr(0, text.find_first_of(".-:[("));
  if (text.empty() || !is_word(text.front()) || is_keyword(first) ||
      std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
    return "";
  }
  // "*p = 4": what is written is not p.
  const std::size_t star = skip_blanks_back(line, begin);
  if (star > 0 && line[star - 1] == '*') {
    const std::size_t left = skip_blanks_back(line, star - 1);
    if (left == 0 || std::string_view(";({!=,&|?:+-").find(line[left - 1]) != kNone)
      return "*" + std::string(text);
  }
  return std::string(text);
}

std::size_t end_of_expression(std::string_view line, std::size_t begin) {
  std::size_t i = begin;
  while (i < line.size()) {
    if (is_word(line[i]) || line[i] == '.') {
      ++i;
    } else if (line.substr(i, 2) == "->" || line.substr(i, 2) == "::") {
      i += 2;
    } else {
      break;
    }
  }
  return i;
}

std::string expression_after(std::string_view line, std::size_t begin) {
  while (begin < line.size() && (is_blank(line[begin]) || line[begin] == '&')) ++begin;
  const std::size_t end = end_of_expression(line, begin);
  // The end may be a call: then the object is what it is called on.
  if (end < line.size() && line[end] == '(') {
    const std::size_t member = line.substr(begin, end - begin).find_last_of(".>");
    if (member == kNone) return "";
    const std::size_t cut = begin + member - (line[begin + member] == '>' ? 1 : 0);
    return expression_before(line, cut);
  }
  return end == begin ? "" : expression_before(line, end);
}

// "a.b" of "a.b.push(3)", where `end` is behind the name of the function.
std::string object_of_call(std::string_view line, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && is_word(line[begin - 1])) --begin;
  const std::string_view before = line.substr(0, begin);
  if (before.ends_with("->")) return expression_before(line, begin - 2);
  if (before.ends_with(".")) return expression_before(line, begin - 1);
  return "";
}

// "Get()->threads" of "assert(Get()->threads == 4)": macros hide where in them it was.
std::string in_macro(std::string_view line, std::size_t open) {
  std::size_t end = open + 1;
  while (end < line.size() && (is_blank(line[end]) || line[end] == '!')) ++end;
  while (end < line.size()) {
    if (is_word(line[end]) || line[end] == '.') {
      ++end;
    } else if (line.substr(end, 2) == "->" || line.substr(end, 2) == "::") {
      end += 2;
    } else if (line[end] == '(' && end > 0 && is_word(line[end - 1]) &&
               line.substr(end, 2) == "()") {
      end += 2;
    } else {
      break;
    }
  }
  return line[end - 1] == ')' ? object_of_call(line, end - 2) : expression_before(line, end);
}

bool is_macro(std::string_view name) {
  return name == "assert" || std::none_of(name.begin(), name.end(),
                                          [](unsigned char c) { return std::islower(c) != 0; });
}

std::string access_at(std::string_view line, std::size_t at) {
  if (is_word(line[at])) {
    std::size_t begin = at, end = at;
    while (begin > 0 && is_word(line[begin - 1])) --begin;
    while (end < line.size() && is_word(line[end])) ++end;
    if (end < line.size() && line[end] == '(') {
      return is_macro(line.substr(begin, end - begin)) ? in_macro(line, end)
                                                       : object_of_call(line, end);
    }
    // The debug information may name the begin of the expression: "q" of "q->count_".
    const std::size_t chain = end_of_expression(line, at);
    if (chain > end && chain < line.size() && line[chain] == '(') return expression_after(line, at);
    return expression_before(line, chain > end && line.substr(end, 2) != "::" ? end : chain);
  }
  const std::string_view rest = line.substr(at);
  if (line[at] == ']') return expression_before(line, at + 1);
  if (line[at] == '[') return expression_before(line, at);
  if (line[at] == ')') {
    const std::size_t open = matching_open(line, at + 1);
    return open == kNone ? "" : object_of_call(line, open);
  }
  if (line[at] == '(') return object_of_call(line, at);
  if (rest.starts_with("->") || line[at] == '.') return expression_before(line, at);
  if (rest.starts_with("++") || rest.starts_with("--")) {
    const std::string left = expression_before(line, at);
    return left.empty() ? expression_after(line, at + 2) : left;
  }
  if (line[at] == '!' && !rest.starts_with("!=")) return expression_after(line, at + 1);
  if (line[at] == '*') {
    const std::string left = expression_before(line, at);
    if (!left.empty()) return left;
    const std::string pointer = expression_after(line, at + 1);
    return pointer.empty() || pointer.front() == '*' ? pointer : "*" + pointer;
  }
  if (std::string_view("=+-/%&|^<>!").find(line[at]) != kNone) {
    const std::string left = expression_before(line, at);
    if (!left.empty()) return left;
    std::size_t behind = at;
    while (behind < line.size() && std::string_view("=+-/%&|^<>!").find(line[behind]) != kNone)
      ++behind;
    return expression_after(line, behind);
  }
  return "";
}

// The first argument of the bracket that begins at `open`.
std::string first_argument(std::string_view line, std::size_t open) {
  std::size_t begin = open + 1;
  while (begin < line.size() && (is_blank(line[begin]) || line[begin] == '&')) ++begin;
  std::size_t end = begin;
  int depth = 0;
  for (; end < line.size(); ++end) {
    const char c = line[end];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (depth == 0 && (c == ',' || c == ')' || c == '}')) break;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  if (end == begin || end == line.size()) return "";
  std::string text(line.substr(begin, end - begin));
  if (text.starts_with("this->")) text = text.substr(6);
  return is_word(text.front()) ? text : "";
}

// "m" of "std::lock_guard<std::mutex> lock(m);"
std::string guarded(std::string_view line) {
  for (const std::string_view guard : {"lock_guard", "unique_lock", "scoped_lock", "shared_lock"}) {
    const std::size_t at = line.find(guard);
    if (at == kNone) continue;
    const std::size_t open = line.find_first_of("({", at);
    // Of several locks nobody knows which.
    const bool several = guard == "scoped_lock" && open != kNone && line.find(',', open) != kNone;
    if (open != kNone && !several) return first_argument(line, open);
  }
  return "";
}

// "m" of "m.lock()" or "pthread_mutex_lock(&m)", for the functions that operations come from.
std::string called_on(std::string_view line, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    for (std::size_t at = line.find(name); at != kNone; at = line.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if (end >= line.size() || line[end] != '(') continue;
      const bool whole = at == 0 || !is_word(line[at - 1]);
      if (whole) {
        if (const std::string object = object_of_call(line, end); !object.empty()) return object;
        continue;
      }
      std::size_t begin = at;
      while (begin > 0 && is_word(line[begin - 1])) --begin;
      const std::string_view prefix = line.substr(begin, at - begin);
      if (prefix.starts_with("pthread_") || prefix.starts_with("sem_") ||
          prefix.starts_with("mtx_") || prefix.starts_with("cnd_")) {
        return first_argument(line, end);
      }
    }
  }
  return "";
}

std::string synchronised_on(std::string_view line, OpKind op) {
  switch (op) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kMutexTimedLock:
    case OpKind::kMutexUnlock:
    case OpKind::kRwReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryLock:
    case OpKind::kRwUnlock:
    case OpKind::kSpinLock:
    case OpKind::kSpinUnlock: {
      std::string name = guarded(line);
      if (name.empty())
        name = called_on(line, {"lock", "unlock", "try_lock", "trylock", "lock_shared",
                                "unlock_shared", "try_lock_for", "rdlock", "wrlock", "timedlock"});
      return name;
    }
    case OpKind::kCondWait:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
      return called_on(line, {"wait", "wait_for", "wait_until", "notify_one", "notify_all",
                              "signal", "broadcast", "timedwait"});
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
      return called_on(line, {"wait", "post", "trywait", "acquire", "release", "try_acquire"});
    case OpKind::kBarrierWait:
      return called_on(line, {"wait", "arrive_and_wait"});
    default:
      return "";
  }
}

}  // namespace

std::string accessed_expression(std::string_view line, int column, OpKind op) {
  std::string result;
  switch (op) {
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
      if (column > 0 && static_cast<std::size_t>(column) <= line.size())
        result = access_at(line, static_cast<std::size_t>(column) - 1);
      break;
    default:
      result = synchronised_on(line, op);
  }
  return result.size() > kMaxExpression ? "" : result;
}

}  // namespace snag::report
