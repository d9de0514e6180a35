#include "tool/binary/place.h"

#include <fmt/format.h>

#include "tool/base/text.h"

namespace snag::binary {
namespace {

constexpr const char* kUnknown = "an unknown place";

// `lookup` gives the frames at one element of the stack.
template <class Lookup>
const Frame* find_user_frame(std::span<const std::uint64_t> stack, Lookup lookup) {
  const Frame* innermost = nullptr;
  for (const std::uint64_t pc : stack) {
    const Frame* frame = pc == 0 ? nullptr : display_frame(lookup(pc));
    if (frame == nullptr) continue;
    if (is_user_frame(*frame)) return frame;
    if (innermost == nullptr) innermost = frame;
  }
  return innermost;
}

}  // namespace

const Frame* user_frame(Symbolizer& symbolizer, const ModuleMap& modules,
                        std::span<const std::uint64_t> stack) {
  return find_user_frame(
      stack, [&](std::uint64_t pc) -> const Frames& { return symbolizer.lookup(modules, pc); });
}

const Frame* user_frame_of_code(Symbolizer& symbolizer, const ModuleMap& modules,
                                std::span<const ModulePc> stack) {
  return find_user_frame(
      stack, [&](ModulePc pc) -> const Frames& { return symbolizer.lookup_code(modules, pc); });
}

std::string place_text(std::string_view file, int line, std::string_view function) {
  if (!file.empty()) return fmt::format("{}:{}", base_name(file), line);
  return std::string(function.empty() ? kUnknown : function);
}

std::string place_text(const Frame* frame) {
  return frame == nullptr ? kUnknown : place_text(frame->file, frame->line, frame->function);
}

std::string place_in_function(std::string_view file, int line, std::string_view function) {
  std::string text = place_text(file, line, function);
  if (!file.empty() && !function.empty()) text += fmt::format(" in {}", function);
  return text;
}

std::string place_in_function(const Frame* frame) {
  return frame == nullptr ? kUnknown : place_in_function(frame->file, frame->line, frame->function);
}

}  // namespace snag::binary
