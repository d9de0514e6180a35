// Implements trace.h: writing.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tool/base/json.h"
#include "tool/base/names.h"
#include "tool/base/text.h"
#include "tool/base/whole_file.h"
#include "tool/trace/trace.h"

namespace snag::trace {
namespace {

using OrderedJson = nlohmann::ordered_json;

// Program arguments and messages need not be UTF-8.
std::string dump(const OrderedJson& json) { return json_text(json, -1); }

// "0*12 1*3 2": thread, and how many steps unless one; in lines that fit a screen.
OrderedJson schedule_lines(const std::vector<Stretch>& schedule) {
  constexpr std::size_t kLineLength = 90;
  OrderedJson lines = OrderedJson::array();
  std::string line;
  for (const Stretch& stretch : schedule) {
    if (!line.empty()) line += ' ';
    line += stretch.steps == 1 ? fmt::format("{}", stretch.thread)
                               : fmt::format("{}*{}", stretch.thread, stretch.steps);
    if (line.size() >= kLineLength) {
      lines.push_back(std::move(line));
      line.clear();
    }
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

OrderedJson switch_object(const Switch& s) {
  OrderedJson object = {{"thread", s.thread}, {"steps", s.steps}};
  if (s.until) {
    const Position& p = *s.until;
    object["until"] = {{"op", op_name(p.op)},
                       {"at", fmt::format("{}:{}:{}", p.file, p.line, p.column)},
                       {"in", p.function},
                       {"line_in_function", p.line_in_function},
                       {"occurrence", s.occurrence}};
    if (!p.via.empty()) object["until"]["via"] = p.via;
  }
  object["to"] = s.to;
  return object;
}

std::string point_text(ModulePc point) {
  return fmt::format("{}+{:#x}", module_of(point), offset_of(point));
}

void write_settings(const RunSettings& settings, OrderedJson& root) {
  if (!settings.allocators.empty()) root["allocators"] = settings.allocators.text;
  for (const SettingRow& row : kRunSettings) {
    const std::uint64_t value = row.get(settings);
    if (row.trace.name == nullptr || (!row.trace.is_required && value == row.trace.absent))
      continue;
    OrderedJson& field = root[row.trace.name];
    if (row.is_flag) {
      field = value != 0;
    } else if (row.values.words.empty()) {
      field = value;
    } else {
      const Word* word = find_word(row.values.words, value);
      field = word != nullptr ? word->name : "unknown";
    }
  }
}

OrderedJson trace_object(const Trace& trace) {
  OrderedJson root;
  root["snag"] = "trace";
  root["version"] = kTraceVersion;
  root["program"] = {{"path", trace.program.path},
                     {"args", trace.program.argv},
                     {"stdin", trace.program.stdin_path},
                     {"hash", fmt::format("{:016x}", trace.program_hash)}};
  root["run"] = trace.run;
  if (trace.contexts != 0) root["contexts"] = trace.contexts;
  write_settings(trace.settings, root);
  if (trace.race_pcs[0] != 0)
    root["race_at"] = {point_text(trace.race_pcs[0]), point_text(trace.race_pcs[1])};
  if (trace.failure.covered) {
    for (const int side : {0, 1}) {
      OrderedJson& places = root[side == 0 ? "covers_first" : "covers_second"] =
          OrderedJson::array();
      for (std::uint32_t i = 0; i < trace.wanted.count[side]; ++i)
        places.push_back(point_text(trace.wanted.pcs[side][i]));
    }
  }
  root["failure"] = {{"kind", trace.failure.kind_name()},
                     {"detail", trace.failure.detail},
                     {"message", trace.failure.message},
                     {"thread", trace.failure.thread},
                     {"location", trace.failure.location}};
  root["confirmed"] = trace.confirmed;
  root["event_hash"] = fmt::format("{:016x}", trace.event_hash);
  root["steps"] = trace.steps;
  root["points"] = OrderedJson::array();
  for (const ModulePc point : trace.points) {
    root["points"].push_back(point_text(point));
  }
  root["choices"] = OrderedJson::array();
  for (const Choice& choice : trace.choices) {
    root["choices"].push_back({choice.step, choice.count, choice.value});
  }
  if (trace.shrunk_from) {
    root["shrunk"] = {{"from", *trace.shrunk_from},
                      {"to", trace.schedule.empty() ? 0 : trace.schedule.size() - 1}};
  }
  root["schedule"] = schedule_lines(trace.schedule);
  root["switches"] = OrderedJson::array();
  if (trace.switches.size() <= kMaxSwitches) {
    for (const Switch& s : trace.switches) root["switches"].push_back(switch_object(s));
  }
  return root;
}

// A complete file under a temporary name next to the path, readable by the user alone.
Expected<FileBeside> write_temporary(const std::string& path, const Trace& trace) {
  auto file = FileBeside::open(path, 0600);
  if (!file) return internal_error(file.error().message);
  const std::string text = format_trace(trace);
  if (write_all(file->fd(), text) != text.size())
    return internal_error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  return file;
}

// The program's name, with what makes trouble in file names replaced.
std::string file_stem(const Trace& trace) {
  std::string name(base_name(trace.program.path).substr(0, 100));
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.')
      c = '_';
  }
  return name.empty() ? "program" : name;
}

}  // namespace

bool wants_frames(const Trace& trace) {
  return trace.schedule.size() <= kMaxSwitches && trace.steps <= kMaxStepsWithFrames;
}

bool has_frames(const Trace& trace) { return trace.confirmed && wants_frames(trace); }

std::string format_trace(const Trace& trace) {
  // One line a field, and one line an element where elements are worth reading.
  std::string text = "{\n";
  const OrderedJson root = trace_object(trace);
  for (auto field = root.begin(); field != root.end(); ++field) {
    if (field != root.begin()) text += ",\n";
    text += fmt::format("\"{}\": ", field.key());
    const bool is_list = field->is_array() && !field->empty() &&
                         (field.key() == "switches" || field.key() == "schedule");
    if (!is_list) {
      text += dump(*field);
      continue;
    }
    const char* separator = "[\n  ";
    for (const OrderedJson& element : *field) {
      text += separator + dump(element);
      separator = ",\n  ";
    }
    text += "\n]";
  }
  return text + "\n}\n";
}

Expected<std::string> write_new_trace(const std::string& folder, const Trace& trace) {
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return usage_error(
        fmt::format("cannot make the folder '{}' for traces: {}; choose another with --out", folder,
                    std::strerror(errno)));
  }
  const std::string stem =
      fmt::format("{}/{}-{}", folder, file_stem(trace), trace.failure.kind_name());
  auto temporary = write_temporary(stem, trace);
  if (!temporary) return tl::unexpected(temporary.error());
  for (int n = 1;; ++n) {
    std::string path = fmt::format("{}-{}.snag", stem, n);
    // Not rename: that would replace a file created in the meantime.
    if (link(temporary->name().c_str(), path.c_str()) == 0) return path;
    if (errno == EEXIST) continue;
    return internal_error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  }
}

Expected<void> rewrite_trace(const std::string& path, const Trace& trace) {
  auto temporary = write_temporary(path, trace);
  if (!temporary) return tl::unexpected(temporary.error());
  if (auto done = temporary->take_place(); !done) return internal_error(done.error().message);
  return {};
}

}  // namespace snag::trace
