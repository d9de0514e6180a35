#include "tool/active/tool_reports/tool_report.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>

#include "tool/active/tool_reports/tool_report_lines.h"

namespace snag::active {
namespace {

// Longer lines are cut: no line that matters is that long.
constexpr std::size_t kMaxLine = 64 * 1024;
// Different entries that are kept.
constexpr std::size_t kMaxEntries = 10'000;
// Processes of valgrind whose lines may be mixed.
constexpr std::size_t kMaxProcesses = 64;
// Limit of the text: far longer than any report, but a pipe may never end.
constexpr std::uint64_t kMaxText = std::uint64_t{1} << 30;

// What makes two entries the same. Addresses of memory and threads differ each time; the same line
// may use several variables, and then the instructions differ.
std::string key_of(const ReportEntry& entry) {
  std::string key(name_of(entry.kind));
  key += "|" + entry.memory.variable;
  for (const ReportSide& side : entry.sides) {
    key += fmt::format("|{}{}{} {:x}", static_cast<int>(side.access), side.is_free, side.size,
                       side.code);
    for (const ReportFrame& frame : side.frames)
      key += fmt::format(";{}:{}:{}", frame.file, frame.line, frame.column);
  }
  return key;
}

// Without the codes for colours, and without the other half of CRLF.
std::string plain(std::string_view line) {
  std::string text;
  text.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
      const std::size_t end = line.find('m', i);
      if (end != std::string_view::npos && end - i <= 12) {
        i = end;
        continue;
      }
    }
    if (line[i] != '\r' && line[i] != '\0') text += line[i];
  }
  return text;
}

}  // namespace

class ToolReportReader::Parts {
 public:
  void line(std::string_view raw) {
    ++number_;
    const std::string text = plain(raw);
    if (!text.empty()) report_.is_empty = false;
    if (number_ < 3 && text.find("<?xml") != std::string::npos) report_.is_xml = true;
    if (const auto of_valgrind = valgrind_line(text)) {
      if (ValgrindParser* parser = parser_of(of_valgrind->process))
        parser->line(of_valgrind->text, number_);
      report_.is_report = true;
      return;
    }
    if (tsan_.line(text, number_))
      report_.is_report = true;
    else if (ValgrindParser* parser = parser_of(""))
      report_.is_report |= parser->line(text, number_);
  }

  ToolReport finish() {
    tsan_.end();
    for (auto& [process, parser] : valgrind_) parser->end();
    return std::move(report_);
  }

 private:
  ValgrindParser* parser_of(std::string_view process) {
    const auto known = valgrind_.find(process);
    if (known != valgrind_.end()) return known->second.get();
    if (valgrind_.size() >= kMaxProcesses) return nullptr;
    auto parser = std::make_unique<ValgrindParser>([this](ReportEntry entry) { add(entry); });
    return valgrind_.emplace(process, std::move(parser)).first->second.get();
  }

  void add(ReportEntry& entry) {
    ++(entry.kind == Kind::kRace ? report_.races : report_.lock_orders);
    const auto [known, is_new] = known_.try_emplace(key_of(entry), report_.entries.size());
    if (!is_new) {
      ++report_.entries[known->second].times;
    } else if (report_.entries.size() < kMaxEntries) {
      report_.entries.push_back(std::move(entry));
    } else {
      known_.erase(known);
      ++report_.left_out;
    }
  }

  ToolReport report_;
  std::uint64_t number_ = 0;
  std::unordered_map<std::string, std::size_t> known_;
  TsanParser tsan_{[this](ReportEntry entry) { add(entry); }};
  std::map<std::string, std::unique_ptr<ValgrindParser>, std::less<>> valgrind_;
};

ToolReportReader::ToolReportReader() : parts_(new Parts) {}
ToolReportReader::~ToolReportReader() { delete parts_; }

void ToolReportReader::read(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view part = text.substr(0, end);
    if (!is_cut_) open_ += part.substr(0, kMaxLine - std::min(kMaxLine, open_.size()));
    is_cut_ = open_.size() >= kMaxLine;
    if (end == std::string_view::npos) return;
    line(open_);
    open_.clear();
    is_cut_ = false;
    text.remove_prefix(end + 1);
  }
}

void ToolReportReader::line(std::string_view text) { parts_->line(text); }

ToolReport ToolReportReader::finish() {
  if (!open_.empty()) line(open_);
  open_.clear();
  return parts_->finish();
}

Expected<ToolReport> read_tool_report(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : "'" + path + "'";
  const int fd = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return usage_error(fmt::format("cannot read the report {}: {}", name, std::strerror(errno)));
  ToolReportReader reader;
  std::vector<char> buffer(256 * 1024);
  std::uint64_t total = 0;
  ssize_t size = 0;
  while (total < kMaxText) {
    size = ::read(fd, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    reader.read({buffer.data(), static_cast<std::size_t>(size)});
    total += static_cast<std::uint64_t>(size);
  }
  const int error = size < 0 ? errno : 0;
  if (fd != STDIN_FILENO) close(fd);
  if (error != 0)
    return usage_error(fmt::format("cannot read the report {}: {}", name, std::strerror(error)));
  ToolReport report = reader.finish();
  if (!report.entries.empty()) return report;
  if (report.is_empty) {
    return usage_error(
        fmt::format("the report {} is empty: these tools write to standard error, so keep that: "
                    "program 2> report",
                    name));
  }
  if (report.is_xml) {
    return usage_error(fmt::format(
        "the report {} is XML: run valgrind without --xml=yes, and give its text", name));
  }
  if (!report.is_report) {
    return usage_error(fmt::format(
        "there is no report of ThreadSanitizer, Helgrind or DRD in {}: give what they write to "
        "standard error",
        name));
  }
  return tl::unexpected(Error{
      ErrorKind::kNothingRan,
      fmt::format("the report {} has no data race and no lock order in it: there is nothing to "
                  "confirm",
                  name)});
}

}  // namespace snag::active
