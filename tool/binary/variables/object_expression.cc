#include "tool/binary/variables/object_expression.h"

#include <cctype>
#include <initializer_list>
#include <set>
#include <utility>

#include "tool/binary/variables/possible_expressions.h"
#include "tool/binary/variables/source_expression.h"

namespace snag::binary {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
// Longer ones do not help.
constexpr std::size_t kMaxExpression = 40;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The object that is accessed at the column, as a person would name it.
std::string access_at(std::string_view line, int column) {
  std::string text = accessed_expression(line, column).text();
  for (const std::string_view prefix : {"this->", "::"}) {
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  }
  return text;
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

// The objects that a line may mean.
class Objects {
 public:
  void add(std::string object) {
    if (!object.empty()) objects_.insert(std::move(object));
  }
  void make_unclear() { is_unclear_ = true; }
  bool is_found() const { return is_unclear_ || !objects_.empty(); }
  // Of several, it is unknown which.
  std::string only() const { return is_unclear_ || objects_.size() != 1 ? "" : *objects_.begin(); }

 private:
  std::set<std::string> objects_;
  bool is_unclear_ = false;
};

// "m" of "std::lock_guard<std::mutex> lock(m);"
Objects guarded(std::string_view line) {
  Objects objects;
  for (const std::string_view guard : {"lock_guard", "unique_lock", "scoped_lock", "shared_lock"}) {
    for (std::size_t at = line.find(guard); at != kNone; at = line.find(guard, at + 1)) {
      const std::size_t open = line.find_first_of("({", at);
      if (open == kNone) continue;
      objects.add(first_argument(line, open));
      if (guard == "scoped_lock" && line.find(',', open) != kNone) objects.make_unclear();
    }
  }
  return objects;
}

// "m" of "m.lock()" or "pthread_mutex_lock(&m)", for the functions that operations come from.
Objects called_on(std::string_view line, std::initializer_list<std::string_view> names) {
  Objects objects;
  for (const std::string_view name : names) {
    for (std::size_t at = line.find(name); at != kNone; at = line.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if (end >= line.size() || line[end] != '(') continue;
      const bool whole = at == 0 || !is_word(line[at - 1]);
      if (whole) {
        objects.add(access_at(line, static_cast<int>(at) + 1));
        continue;
      }
      std::size_t begin = at;
      while (begin > 0 && is_word(line[begin - 1])) --begin;
      const std::string_view prefix = line.substr(begin, at - begin);
      if (prefix.starts_with("pthread_") || prefix.starts_with("sem_") ||
          prefix.starts_with("mtx_") || prefix.starts_with("cnd_")) {
        objects.add(first_argument(line, end));
      }
    }
  }
  return objects;
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
      const Objects objects = guarded(line);
      if (objects.is_found()) return objects.only();
      return called_on(line, {"lock", "unlock", "try_lock", "trylock", "lock_shared",
                              "unlock_shared", "try_lock_for", "rdlock", "wrlock", "timedlock"})
          .only();
    }
    case OpKind::kCondWait:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
      return called_on(line, {"wait", "wait_for", "wait_until", "notify_one", "notify_all",
                              "signal", "broadcast", "timedwait"})
          .only();
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
    case OpKind::kSemPost:
      return called_on(line, {"wait", "post", "trywait", "acquire", "release", "try_acquire"})
          .only();
    case OpKind::kBarrierWait:
      return called_on(line, {"wait", "arrive_and_wait"}).only();
    default:
      return "";
  }
}

}  // namespace

std::string object_expression(std::string_view line, OpKind op) {
  std::string result = synchronised_on(without_texts(line), op);
  return result.size() > kMaxExpression ? "" : result;
}

}  // namespace snag::binary
