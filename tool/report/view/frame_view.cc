#include "tool/report/view/frame_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/session/failed_run.h"

namespace snag::report {
namespace {

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
  std::string text = lines_.line(path, line);
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  text = text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
  return session::bounded_string(text.data(), std::min(text.size(), kMaxSourceLine));
}

FrameView frame_view(const binary::Frame& frame, SourceText& source) {
  return {frame.function, binary::base_name(frame.file), frame.line,
          source.line(frame.file, frame.line)};
}

std::vector<FrameView> stack_view(const binary::ModuleMap& modules,
                                  std::span<const std::uint64_t> stack,
                                  binary::Symbolizer& symbolizer, SourceText& source) {
  std::vector<FrameView> user, others;
  for (const std::uint64_t pc : stack) {
    for (const binary::Frame& frame : symbolizer.lookup(modules, pc)) {
      (binary::is_user_frame(frame) ? user : others).push_back(frame_view(frame, source));
    }
  }
  return user.empty() ? others : user;
}

}  // namespace snag::report
