#include "report/frame_view.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

namespace snag::report {
namespace {

constexpr off_t kMaxSourceBytes = 8 << 20;
constexpr std::size_t kMaxSourceLine = 120;

}  // namespace

std::string FrameView::text() const {
  if (file.empty() || function.empty()) return place();
  return fmt::format("{}:{} in {}", file, line, function);
}

std::string FrameView::place() const {
  if (file.empty()) return function.empty() ? "an unknown place" : function;
  return fmt::format("{}:{}", file, line);
}

std::string SourceText::line(const std::string& path, int line) {
  std::string text = whole_line(path, line);
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  text = text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
  return engine::bounded_string(text.data(), std::min(text.size(), kMaxSourceLine));
}

std::string SourceText::whole_line(const std::string& path, int line) {
  if (path.empty() || line <= 0) return "";
  const auto [entry, is_new] = files_.try_emplace(path);
  if (is_new) {
    struct stat info {};
    if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_size <= kMaxSourceBytes) {
      std::ifstream file(path);
      for (std::string text; std::getline(file, text);) entry->second.push_back(text);
    }
  }
  const std::vector<std::string>& lines = entry->second;
  if (static_cast<std::size_t>(line) > lines.size()) return "";
  return lines[static_cast<std::size_t>(line) - 1];
}

FrameView frame_view(const engine::Frame& frame, SourceText& source) {
  return {frame.function, engine::base_name(frame.file), frame.line,
          source.line(frame.file, frame.line)};
}

std::vector<FrameView> stack_view(const engine::ModuleMap& modules,
                                  std::span<const std::uint64_t> stack,
                                  engine::Symbolizer& symbolizer, SourceText& source) {
  std::vector<FrameView> user, others;
  for (const std::uint64_t pc : stack) {
    for (const engine::Frame& frame : symbolizer.lookup(modules, pc)) {
      (engine::is_user_frame(frame) ? user : others).push_back(frame_view(frame, source));
    }
  }
  return user.empty() ? others : user;
}

}  // namespace snag::report
