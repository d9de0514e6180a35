#include "tool/report/view/frame_view.h"

#include <algorithm>

#include "tool/base/text.h"
#include "tool/binary/place.h"
#include "tool/session/failed_run.h"

namespace snag::report {
namespace {

constexpr std::size_t kMaxSourceLine = 120;

}  // namespace

std::string FrameView::text() const { return binary::place_in_function(file, line, function); }

std::string FrameView::place() const { return binary::place_text(file, line, function); }

std::string SourceText::line(const std::string& path, int line) {
  const std::string whole = lines_.line(path, line);
  const std::string_view text = trimmed(whole);
  return session::bounded_string(text.data(), std::min(text.size(), kMaxSourceLine));
}

FrameView frame_view(const binary::Frame& frame, SourceText& source) {
  return {frame.function, std::string(base_name(frame.file)), frame.line,
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
