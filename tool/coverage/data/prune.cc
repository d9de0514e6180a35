#include "tool/coverage/data/prune.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <unordered_map>

#include "tool/base/text.h"
#include "tool/base/whole_file.h"

namespace snag::coverage {
namespace {

constexpr std::string_view kThen = " then ";
constexpr std::string_view kAt = " at ";
constexpr std::string_view kIn = " in ";

// "q.h:31" of "q.h:31:7".
std::string_view without_column(std::string_view text) {
  const auto is_number = [](std::string_view digits) {
    return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  };
  while (true) {
    const std::size_t last = text.rfind(':');
    if (last == std::string_view::npos || last == 0) return text;
    const std::size_t before = text.rfind(':', last - 1);
    if (before == std::string_view::npos || !is_number(text.substr(last + 1)) ||
        !is_number(text.substr(before + 1, last - before - 1)))
      return text;
    text = text.substr(0, last);
  }
}

Expected<PrunedPlace> parse_place(std::string_view text) {
  const auto complain = [&] {
    return usage_error(fmt::format(
        "'{}' is not a place; write it as 'read at file:line in function()'", text.substr(0, 80)));
  };
  const std::size_t at = text.find(kAt);
  if (at == std::string_view::npos) return complain();
  PrunedPlace place;
  place.action = trimmed(text.substr(0, at));
  text.remove_prefix(at + kAt.size());
  const std::size_t in = text.find(kIn);
  if (in != std::string_view::npos) {
    std::string_view function = text.substr(in + kIn.size());
    // The text that reports show after it does not count.
    for (const std::string_view end : {", on ", " inlined at ", " called at ", " called by "})
      function = function.substr(0, function.find(end));
    place.function = trimmed(function);
    text = without_column(trimmed(text.substr(0, in)));
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || place.function.empty()) return complain();
    const std::string_view number = text.substr(colon + 1);
    text = text.substr(0, colon);
    if (text.find(':') != std::string_view::npos) return complain();
    if (number != "*") {
      const auto [end, error] =
          std::from_chars(number.data(), number.data() + number.size(), place.line);
      if (error != std::errc{} || end != number.data() + number.size() || place.line <= 0)
        return complain();
    }
  }
  // Without debug information there is only a symbol.
  place.file = trimmed(text);
  constexpr std::string_view kActions[] = {"read", "write", "update", "call", "*"};
  if (place.file.empty() ||
      std::find(std::begin(kActions), std::end(kActions), place.action) == std::end(kActions))
    return complain();
  return place;
}

// Whether `end` is the path or the last components of it.
bool is_end_of_path(std::string_view end, std::string_view path) {
  if (!path.ends_with(end)) return false;
  return path.size() == end.size() || path[path.size() - end.size() - 1] == '/';
}

bool fits(const PrunedPlace& wanted, std::string_view action, const Place& place,
          const CoverData& data, const Wording& wording) {
  if (wanted.action != "*" && wanted.action != action) return false;
  if (place.file == 0) return wanted.function.empty() && wanted.file == data.text(place.function);
  if (wanted.line != 0 && wanted.line != place.line) return false;
  if (wanted.file != "*" && !is_end_of_path(wanted.file, data.text(place.file))) return false;
  return wanted.function == "*" || wanted.function == wording.function(place.function);
}

PrunedPlace place_form(const Pair& pair, bool is_first, const CoverData& data,
                       const Wording& wording) {
  const Place& place = data.locations()[is_first ? pair.first : pair.second].place();
  PrunedPlace form;
  form.action = wording.action(pair, is_first);
  if (place.file == 0) {
    form.file = data.text(place.function);
    return form;
  }
  form.file = wording.file(place.file);
  form.line = place.line;
  form.function = wording.function(place.function);
  return form;
}

}  // namespace

std::string PrunedPlace::text() const {
  if (function.empty()) return fmt::format("{} at {}", action, file);
  const std::string number = line == 0 ? "*" : fmt::format("{}", line);
  return fmt::format("{} at {}:{} in {}", action, file, number, function);
}

bool PrunedPair::is_same_pair(const PrunedPair& other) const {
  if (metric != other.metric) return false;
  if (first == other.first && second == other.second) return true;
  return !is_ordered(metric) && first == other.second && second == other.first;
}

std::string PrunedPair::text() const {
  return fmt::format("{}: {} then {}", short_name(metric), first.text(), second.text());
}

PrunedPair pruned_form(const Pair& pair, const CoverData& data, const Wording& wording) {
  PrunedPair form;
  form.metric = pair.metric;
  form.first = place_form(pair, true, data, wording);
  form.second = place_form(pair, false, data, wording);
  return form;
}

Expected<PrunedPair> parse_pruned_pair(std::string_view line) {
  line = trimmed(line);
  Metric metric = Metric::kLocationPairs;
  // Reports say the metric once for all pairs of a list.
  const std::string_view word = line.substr(0, line.find(':'));
  if (word.find(' ') == std::string_view::npos) {
    const auto named = parse_metric(word);
    if (!named || !has_pairs(*named))
      return usage_error(
          "a pair is as reports have it, or begins with its metric: lp:, du:, mp: or cmp:");
    metric = *named;
    line.remove_prefix(std::min(line.size(), word.size() + 1));
  }
  const std::size_t then = line.find(kThen);
  if (then == std::string_view::npos)
    return usage_error("there is no ' then ' between the two places of the pair");
  PrunedPair pair;
  pair.metric = metric;
  auto first = parse_place(line.substr(0, then));
  if (!first) return tl::unexpected(first.error());
  auto second = parse_place(line.substr(then + kThen.size()));
  if (!second) return tl::unexpected(second.error());
  pair.first = std::move(*first);
  pair.second = std::move(*second);
  return pair;
}

Expected<PruneList> PruneList::parse(std::string_view text, const std::string& file) {
  PruneList list;
  int number = 0;
  const auto complain = [&](int line, std::string_view what) {
    return usage_error(fmt::format("{}:{}: {}", file, line, what));
  };
  if (text.size() > kMaxPruneBytes)
    return complain(1, "the file is bigger than 16 MiB; is it one?");
  const auto check_reason = [&]() -> Expected<void> {
    if (!list.entries.empty() && list.entries.back().reason.empty()) {
      return complain(list.entries.back().line,
                      "there is no reason: write why it cannot be covered in the next line, which "
                      "begins with a blank");
    }
    return {};
  };
  while (!text.empty()) {
    ++number;
    const std::string_view line = next_line(text);
    const std::string_view content = trimmed(line);
    if (content.empty() || content.starts_with('#')) continue;
    if (!is_printable(content))
      return complain(number, "it has characters that do not print; remove them");
    if (kBlanks.find(line.front()) != std::string_view::npos) {
      if (list.entries.empty()) return complain(number, "a reason, but no pair before it");
      std::string& reason = list.entries.back().reason;
      reason += (reason.empty() ? "" : " ") + std::string(content);
      continue;
    }
    if (auto checked = check_reason(); !checked) return tl::unexpected(checked.error());
    auto pair = parse_pruned_pair(content);
    if (!pair) return complain(number, pair.error().message);
    if (list.entries.size() == kMaxPruned)
      return complain(number, fmt::format("there are more than {} pairs; use '*'", kMaxPruned));
    pair->line = number;
    list.entries.push_back(std::move(*pair));
  }
  if (auto checked = check_reason(); !checked) return tl::unexpected(checked.error());
  return list;
}

Expected<PruneList> PruneList::read(const std::string& path) {
  // One byte more than allowed, so that `parse` sees that it is too big.
  auto text = read_file(path, kMaxPruneBytes + 1);
  if (!text) {
    return usage_error(
        fmt::format("cannot read the pruned pairs in '{}': {}", path, text.error().message));
  }
  return parse(*text, path);
}

std::string PruneList::text() const {
  std::string text = "# Pairs that cannot be covered, and why; see snag cover prune --help.\n";
  for (const PrunedPair& entry : entries)
    text += fmt::format("{}\n    {}\n", entry.text(), entry.reason);
  return text;
}

Pruned find_pruned(const PruneList& list, const CoverData& data, const Wording& wording) {
  Pruned result;
  result.entry_of.assign(data.pairs().size(), Pruned::kNot);
  result.is_used.assign(list.entries.size(), false);
  if (list.entries.empty()) return result;
  // By the line of the first place; those for any line are under 0.
  std::map<int, std::vector<std::uint32_t>> by_line;
  for (std::uint32_t i = 0; i < list.entries.size(); ++i)
    by_line[list.entries[i].first.line].push_back(i);
  for (std::size_t i = 0; i < data.pairs().size(); ++i) {
    const Pair& pair = data.pairs()[i];
    const auto place = [&](bool is_first) -> const Place& {
      return data.locations()[is_first ? pair.first : pair.second].place();
    };
    // `order`: which place of the pair is the entry's first one.
    const auto look = [&](int line, bool order) {
      const auto entries = by_line.find(line);
      if (entries == by_line.end()) return;
      for (const std::uint32_t index : entries->second) {
        const PrunedPair& entry = list.entries[index];
        if (entry.metric != pair.metric ||
            !fits(entry.first, wording.action(pair, order), place(order), data, wording) ||
            !fits(entry.second, wording.action(pair, !order), place(!order), data, wording))
          continue;
        if (result.entry_of[i] == Pruned::kNot) result.entry_of[i] = index;
        result.is_used[index] = true;
      }
    };
    for (const bool order : {true, false}) {
      if (!order && is_ordered(pair.metric)) continue;
      if (place(order).line != 0) look(place(order).line, order);
      look(0, order);
    }
  }
  return result;
}

std::vector<PrunedPair> proposals(const CoverData& data, const Pruned& pruned,
                                  const Wording& wording) {
  struct Form {
    PrunedPair pair;
    bool holds = true;
  };
  std::vector<Form> forms;
  std::unordered_map<std::string, std::size_t> known;  // by text
  for (std::uint32_t i = 0; i < data.pairs().size(); ++i) {
    const Pair& pair = data.pairs()[i];
    if (pair.metric != Metric::kLocationPairs || pruned.is_pruned(i)) continue;
    PrunedPair form = pruned_form(pair, data, wording);
    const auto [entry, is_new] = known.try_emplace(form.text(), forms.size());
    if (is_new) forms.push_back({std::move(form), true});
    Form& of_pair = forms[entry->second];
    const auto reason = data.proposals().find(i);
    if (pair.is_covered() || reason == data.proposals().end() || reason->second == 0)
      of_pair.holds = false;
    else if (of_pair.pair.reason.empty())
      of_pair.pair.reason = data.text(reason->second);
  }
  std::vector<PrunedPair> result;
  for (Form& form : forms) {
    if (form.holds) result.push_back(std::move(form.pair));
  }
  return result;
}

}  // namespace snag::coverage
