// Implements feasible.h: names of events that are not marked anywhere, and the marked ones that may
// have been meant.
#include <algorithm>
#include <set>
#include <utility>

#include "schedule/language/feasible.h"

namespace snag::schedule {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// How many letters must be put in, left out, replaced or swapped with the next one.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                              table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
    }
  }
  return table[a.size()][b.size()];
}

std::string_view last_part(std::string_view name) {
  return name.substr(name.rfind('.') + 1);  // npos + 1 is 0
}

// The names most similar to this one.
std::vector<std::string> nearest(const std::string& name, const std::set<std::string>& names) {
  constexpr std::size_t kLongest = 200, kMost = 3;
  std::vector<std::pair<std::size_t, std::string>> found;
  if (name.size() > kLongest) return {};
  for (const std::string& other : names) {
    if (other.size() > kLongest) continue;
    const std::size_t letters = distance(lower(name), lower(other));
    const bool same_end = last_part(name) == last_part(other);
    if (same_end || letters <= std::max<std::size_t>(1, name.size() / 3))
      found.emplace_back(same_end ? 0 : letters, other);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> result;
  for (auto& [letters, other] : found)
    if (letters == found[0].first && result.size() < kMost) result.push_back(std::move(other));
  return result;
}

// "a, b or c".
std::string list(const std::vector<std::string>& names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + std::string(last) + " " : ", ";
    text += names[i];
  }
  return text;
}

Fault unknown(const EventRef& event, const std::set<std::string>& marked) {
  std::string message = "no SNAG_EVENT of this program marks " + event.name;
  for (const EventKind kind :
       {EventKind::kStart, EventKind::kEnd, EventKind::kBlock, EventKind::kUnblock}) {
    if (event.thread.empty() && event.name == keyword_of(kind))
      return {event.offset,
              message + "; write " + event.name + "@thread for the " + event.name + " of a thread"};
  }
  constexpr std::size_t kMostShown = 10;
  const std::vector<std::string> near = nearest(event.name, marked);
  if (marked.empty())
    message += ", nor any other event; put SNAG_EVENT(" + event.name + ") where it happens";
  else if (!near.empty())
    message += "; did you mean " + list(near, "or") + "?";
  else if (marked.size() <= kMostShown)
    message += "; marked are " + list({marked.begin(), marked.end()}, "and");
  else
    message += ", and none of the " + std::to_string(marked.size()) + " marked ones is like it";
  return {event.offset, message};
}

std::optional<Fault> check_event(const EventRef& event, const std::set<std::string>& marked) {
  if (event.kind != EventKind::kNamed || marked.count(event.name) > 0) return std::nullopt;
  return unknown(event, marked);
}

std::optional<Fault> check_condition(const Condition& condition,
                                     const std::set<std::string>& marked) {
  for (const Condition& part : condition.parts)
    if (auto fault = check_condition(part, marked)) return fault;
  return condition.parts.empty() ? check_event(condition.event, marked) : std::nullopt;
}

}  // namespace

std::optional<Fault> check_names(const Schedule& schedule, const std::vector<std::string>& marked) {
  std::set<std::string> names;
  for (const std::string& name : marked) names.insert(normal_name(name));
  return check_normal_names(schedule, names);
}

std::optional<Fault> check_normal_names(const Schedule& schedule,
                                        const std::set<std::string>& marked) {
  for (const Ordering& ordering : schedule.orderings) {
    if (auto fault = check_condition(ordering.condition, marked)) return fault;
    if (auto fault = check_event(ordering.event, marked)) return fault;
  }
  return std::nullopt;
}

}  // namespace snag::schedule
