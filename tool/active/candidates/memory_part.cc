#include "tool/active/candidates/memory_part.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

namespace snag::active {
namespace {

bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string simple_name(std::string_view name) {
  std::string text(name);
  if (text.starts_with("_Z")) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> readable(
        abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), std::free);
    if (readable != nullptr) text = readable.get();
  }
  // In C, the compiler numbers the static variables of functions.
  std::size_t end = text.size();
  while (end > 0 && is_digit(text[end - 1])) --end;
  if (end > 1 && end < text.size() && text[end - 1] == '.') text.resize(end - 1);
  // The arguments of a template at the end, and what the compiler adds: "x[abi:cxx11]".
  for (const auto& [open, close] : {std::pair{'<', '>'}, std::pair{'[', ']'}}) {
    if (!text.ends_with(close)) continue;
    std::size_t begin = text.size();
    int depth = 0;
    do {
      --begin;
      if (text[begin] == close) ++depth;
      if (text[begin] == open) --depth;
    } while (begin > 0 && depth > 0);
    text.resize(begin);
  }
  std::size_t begin = text.size();
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  return text.substr(begin);
}

int agreement(const MemoryPart& reported, std::uint32_t size, const MemoryPart& watched) {
  using Kind = MemoryPart::Kind;
  if (reported.kind == Kind::kUnknown || watched.kind == Kind::kUnknown) return 0;
  const bool is_variable = reported.kind == Kind::kVariable;
  if (is_variable != (watched.kind == Kind::kVariable)) return -1;
  const bool is_inside =
      watched.offset < reported.offset + std::max(size, 1u) && reported.offset < watched.offset + 8;
  if (is_variable) {
    if (reported.variable.empty() || watched.variable.empty()) return 0;
    if (reported.variable != watched.variable) return -1;
    return reported.offset == watched.offset ? 4 : is_inside ? 3 : 2;
  }
  if (reported.size == 0 || reported.size != watched.size) return 0;
  return reported.offset == watched.offset ? 3 : is_inside ? 2 : 1;
}

}  // namespace snag::active
