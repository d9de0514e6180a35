// Implements trace.h: reading.
#include <fmt/format.h>

#include <limits>

#include "tool/base/json.h"
#include "tool/base/json_reader.h"
#include "tool/base/names.h"
#include "tool/base/whole_file.h"
#include "tool/trace/trace.h"

namespace snag::trace {
namespace {

using Json = JsonReader::Json;
using Reader = JsonReader;

constexpr std::size_t kMaxArguments = 100'000;
// A tree of JSON takes far more memory than its text: "[[[[" sixty times as much. The longest trace
// that is written has a million and a half values, and six levels.
constexpr std::size_t kMaxValues = 2'000'000;
constexpr std::size_t kMaxDepth = 16;

// Whether the text stays within these limits, up to its end or to where it is no longer JSON.
bool is_modest(std::string_view text) {
  std::size_t values = 1, depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '[' || c == '{') ++depth;
    if (c == '[' || c == '{' || c == ',') ++values;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth > kMaxDepth || values > kMaxValues) return false;
  }
  return true;
}

Tid read_thread(Reader& in, const Json& parent, const char* name) {
  return static_cast<Tid>(in.number_field(parent, name, kMaxThreads - 1));
}

Program read_program(Reader& in, const Json& object) {
  Program program;
  program.path = in.text_field(object, "path");
  program.stdin_path = in.text_field(object, "stdin");
  for (const Json& argument : in.list(object, "args", kMaxArguments)) {
    program.argv.push_back(in.text(argument, "args"));
  }
  if (program.path.empty()) in.fail("'path' is empty");
  if (program.argv.empty()) in.fail("'args' is empty");
  return program;
}

TraceFailure read_failure(Reader& in, const Json& object) {
  TraceFailure failure;
  failure.covered = in.text_field(object, "kind") == kCoveredName;
  if (!failure.covered) failure.kind = in.name_field(object, "kind", parse_failure_kind);
  failure.detail = in.signed_field(object, "detail");
  failure.message = in.text_field(object, "message");
  failure.thread = static_cast<Tid>(in.number_field(object, "thread", kNoTid));
  failure.location = in.text_field(object, "location");
  return failure;
}

std::vector<ModulePc> read_points(Reader& in, const Json& root, const char* name,
                                  std::uint64_t limit) {
  std::vector<ModulePc> points;
  for (const Json& element : in.list(root, name, limit)) {
    const std::string text = in.text(element, name);
    const std::size_t plus = text.find("+0x");
    if (plus == std::string::npos) {
      in.fail(fmt::format("'{}' has an element that is not <module>+0x<offset>", name));
      break;
    }
    const std::string_view view = text;
    const auto module = in.digits(view.substr(0, plus), 10, name, kMaxModules - 1);
    const auto offset = in.digits(view.substr(plus + 3), 16, name, kModuleOffsetMask);
    points.push_back(make_module_pc(static_cast<std::uint32_t>(module), offset));
  }
  return points;
}

std::uint64_t read_setting(Reader& in, const Json& root, const SettingRow& row) {
  const char* name = row.trace.name;
  if (!row.trace.is_required && !root.contains(name)) return row.trace.absent;
  if (row.is_flag) return in.flag_field(root, name);
  if (row.values.words.empty()) return in.number_field(root, name, row.values.max, row.values.min);
  const Word* word = find_word(row.values.words, in.text_field(root, name));
  if (word == nullptr) in.fail(fmt::format("'{}' has an unknown name", name));
  return word != nullptr ? word->value : row.initial();
}

RunSettings read_settings(Reader& in, const Json& root) {
  RunSettings settings;
  for (const SettingRow& row : kRunSettings) {
    if (row.trace.name != nullptr) row.set(settings, read_setting(in, root, row));
  }
  if (root.contains("allocators")) {
    const std::string names = in.text_field(root, "allocators");
    if (names.size() >= AllocatorNames::kSize) {
      in.fail("'allocators' is too long");
    } else {
      names.copy(settings.allocators.text, names.size());
    }
  }
  return settings;
}

void read_race_places(Reader& in, const Json& root, Trace& trace) {
  if (!root.contains("race_at")) return;
  const std::vector<ModulePc> places = read_points(in, root, "race_at", 2);
  if (places.size() != 2) return in.fail("'race_at' is not two places");
  std::copy(places.begin(), places.end(), trace.race_pcs);
}

// For a trace that shows how a pair of places is covered.
void read_wanted(Reader& in, const Json& root, Trace& trace) {
  if (!root.contains("covers_first")) return;
  for (const int side : {0, 1}) {
    const auto places =
        read_points(in, root, side == 0 ? "covers_first" : "covers_second", kMaxWantedPcs);
    trace.wanted.count[side] = static_cast<std::uint32_t>(places.size());
    std::copy(places.begin(), places.end(), trace.wanted.pcs[side]);
  }
}

std::vector<Choice> read_choices(Reader& in, const Json& root) {
  std::vector<Choice> choices;
  for (const Json& element : in.list(root, "choices", kMaxChoices)) {
    if (!element.is_array() || element.size() != 3) {
      in.fail("'choices' has an element that is not [step, count, value]");
      break;
    }
    const auto count = in.number(element[1], "choices", UINT32_MAX);
    const auto value = in.number(element[2], "choices", count > 0 ? count - 1 : 0);
    choices.push_back({in.number(element[0], "choices", kMaxTraceSteps),
                       static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(value)});
  }
  return choices;
}

std::vector<Stretch> read_schedule(Reader& in, const Json& root, std::uint64_t steps) {
  std::vector<Stretch> schedule;
  std::uint64_t total = 0;
  for (const Json& element : in.list(root, "schedule", kMaxTraceBytes)) {
    const std::string line = in.text(element, "schedule");
    for (std::string_view rest = line; !rest.empty() && in.ok();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      const std::size_t star = word.find('*');
      const auto thread = in.digits(word.substr(0, star), 10, "schedule", kMaxThreads - 1);
      const auto count = star == std::string_view::npos
                             ? 1
                             : in.digits(word.substr(star + 1), 10, "schedule", kMaxTraceSteps);
      if (count == 0) in.fail("'schedule' has an empty stretch");
      schedule.push_back({static_cast<Tid>(thread), 0, static_cast<std::uint32_t>(count)});
      total += count;
    }
  }
  if (total != steps) in.fail("'schedule' does not add up to 'steps'");
  return schedule;
}

Position read_position(Reader& in, const Json& object) {
  Position position;
  position.op = in.name_field(object, "op", parse_op);
  position.function = in.text_field(object, "in");
  position.line_in_function = in.signed_field(object, "line_in_function");
  if (object.contains("via")) position.via = in.text_field(object, "via");
  const std::string at = in.text_field(object, "at");
  const std::size_t column = at.rfind(':');
  const std::size_t line =
      column == std::string::npos || column == 0 ? std::string::npos : at.rfind(':', column - 1);
  if (line == std::string::npos) {
    in.fail("'at' is not <file>:<line>:<column>");
    return position;
  }
  const std::string_view view = at;
  position.file = at.substr(0, line);
  position.line =
      static_cast<int>(in.digits(view.substr(line + 1, column - line - 1), 10, "at", INT32_MAX));
  position.column = static_cast<int>(in.digits(view.substr(column + 1), 10, "at", INT32_MAX));
  return position;
}

std::vector<Switch> read_switches(Reader& in, const Json& root) {
  std::vector<Switch> switches;
  for (const Json& element : in.list(root, "switches", kMaxSwitches)) {
    if (!element.is_object()) in.fail("'switches' has an element that is not an object");
    if (!in.ok()) break;
    Switch s;
    s.thread = read_thread(in, element, "thread");
    s.steps = in.number_field(element, "steps", kMaxTraceSteps);
    s.to = read_thread(in, element, "to");
    if (element.contains("until")) {
      const Json& until = in.object(element, "until");
      s.until = read_position(in, until);
      s.occurrence = in.number_field(until, "occurrence", kMaxTraceSteps);
    }
    switches.push_back(std::move(s));
  }
  return switches;
}

Trace read_fields(Reader& in, const Json& root) {
  constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();
  Trace trace;
  const Json& program = in.object(root, "program");
  trace.program = read_program(in, program);
  trace.program_hash = in.hash_field(program, "hash");
  trace.run = in.number_field(root, "run", kAny);
  if (root.contains("contexts"))
    trace.contexts = static_cast<std::uint32_t>(in.number_field(root, "contexts", kMaxThreads));
  read_race_places(in, root, trace);
  read_wanted(in, root, trace);
  trace.failure = read_failure(in, in.object(root, "failure"));
  trace.settings = read_settings(in, root);
  // Older traces do not have the field. Those that ended in another failure had no misuse before
  // it, or were made without looking for any.
  if (trace.failure.kind == FailureKind::kLockMisuse) trace.settings.lock_misuse = true;
  const Json& confirmed = in.field(root, "confirmed");
  if (!confirmed.is_boolean()) in.fail("'confirmed' is not true or false");
  trace.confirmed = confirmed.is_boolean() && confirmed.get<bool>();
  trace.event_hash = in.hash_field(root, "event_hash");
  trace.steps = in.number_field(root, "steps", kMaxTraceSteps);
  trace.points = read_points(in, root, "points", kMaxPoints);
  trace.choices = read_choices(in, root);
  trace.schedule = read_schedule(in, root, trace.steps);
  trace.switches = read_switches(in, root);
  if (root.contains("shrunk")) {
    trace.shrunk_from = in.number_field(in.object(root, "shrunk"), "from", kMaxTraceSteps);
  }
  return trace;
}

}  // namespace

Expected<Trace> parse_trace(std::string_view text) {
  if (text.empty()) return usage_error("it is empty");
  if (text.size() > kMaxTraceBytes || !is_modest(text)) {
    return usage_error("it is not a Snag trace: it is bigger or deeper than any");
  }
  const Json root = try_parse_json(text);
  if (root.is_discarded()) {
    return usage_error(text.starts_with("{\n\"snag\": \"trace\"") ? "it is cut off or damaged"
                                                                  : "it is not a Snag trace");
  }
  if (!root.is_object() || root.value("snag", Json()) != "trace") {
    return usage_error("it is not a Snag trace");
  }
  Reader in;
  const std::uint64_t version = in.number_field(root, "version", UINT32_MAX);
  if (in.ok() && version != kTraceVersion) {
    return usage_error(
        fmt::format("it has version {}, and this Snag reads version {}: use the Snag that wrote it",
                    version, kTraceVersion));
  }
  Trace trace = read_fields(in, root);
  if (!in.ok()) return usage_error(fmt::format("it is damaged: {}", in.problem()));
  return trace;
}

Expected<Trace> read_trace(const std::string& path) {
  const auto complain = [&](std::string_view what) {
    return usage_error(fmt::format("cannot read the trace '{}': {}", path, what));
  };
  auto text = read_file(path, kMaxTraceBytes + 1);
  if (!text) return complain(text.error().message);
  if (text->size() > kMaxTraceBytes)
    return complain(fmt::format("it is bigger than any trace ({} MiB)", kMaxTraceBytes >> 20));
  auto trace = parse_trace(*text);
  if (!trace) return complain(trace.error().message);
  return trace;
}

}  // namespace snag::trace
