// Implements tool/active/tool_reports/tool_report_lines.h: what tools say about the memory of a
// race.
//
//   ThreadSanitizer  Location is global 'ns::obj' of size 8 at 0x555555558100 (ns+0x4104)
//                    Location is heap block of size 16 at 0x7b0400000000 allocated by main thread:
//                    Location is stack of main thread.
//   Helgrind         Address 0x10c0c4 is 4 bytes inside data symbol "_ZN2ns3objE"
//                    Address 0x10c0d8 is in the BSS segment of /src/ns
//                    Address 0x4d78c88 is 8 bytes inside a block of size 16 alloc'd
//                    Address 0x1fff0005ac is on thread #1's stack
//   DRD              Allocation context: BSS section of /src/ns
//                    Address 0x4d99c58 is at offset 8 from 0x4d99c50. Allocation context:
//   both, if asked   Location 0x10c0ac is 0 bytes inside arr[3],
//   for names        a global variable declared at ns.cc:5
//                    Location 0x10c0ac is 0 bytes inside global var "x"
//                    Location 0x1fff0005ac is 0 bytes inside local var "x"

#include <charconv>

#include "tool/active/tool_reports/tool_report_lines.h"

namespace snag::active {
namespace {

using Kind = MemoryPart::Kind;

// The text after the word; empty if the word is missing.
std::string_view after(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + word.size());
}

std::uint64_t number_in(std::string_view text, int base = 10) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() ? value : 0;
}

// The distance of the address from the beginning that the line gives.
std::uint64_t distance(std::string_view line, std::uint64_t address) {
  const std::uint64_t begin = number_in(after(line, " at 0x"), 16);
  return begin != 0 && address >= begin ? address - begin : 0;
}

std::optional<MemoryPart> of_thread_sanitizer(std::string_view line, std::uint64_t address) {
  const std::uint64_t size = number_in(after(line, " of size "));
  if (const std::string_view name = after(line, "Location is global '"); !name.empty()) {
    const std::string variable = simple_name(name.substr(0, name.find('\'')));
    if (size == 0 || variable.empty()) return std::nullopt;
    return MemoryPart{Kind::kVariable, variable, distance(line, address), size};
  }
  if (line.find("Location is heap block ") != std::string_view::npos)
    return MemoryPart{Kind::kHeap, "", distance(line, address), size};
  if (line.find("Location is stack ") != std::string_view::npos)
    return MemoryPart{Kind::kStack, "", 0, 0};
  return std::nullopt;
}

std::optional<MemoryPart> of_valgrind(std::string_view line) {
  const bool is_section = line.find(" in the BSS segment ") != std::string_view::npos ||
                          line.find(" in the Data segment ") != std::string_view::npos ||
                          line.find(": BSS section of ") != std::string_view::npos ||
                          line.find(": Data section of ") != std::string_view::npos;
  if (is_section) return MemoryPart{Kind::kVariable, "", 0, 0};
  if (line.find(" is on thread ") != std::string_view::npos ||
      line.find(" bytes inside local var ") != std::string_view::npos)
    return MemoryPart{Kind::kStack, "", 0, 0};
  if (line.find(" is at offset ") != std::string_view::npos)
    return MemoryPart{Kind::kHeap, "", number_in(after(line, " is at offset ")), 0};
  const std::string_view inside = after(line, " bytes inside ");
  if (inside.empty()) return std::nullopt;
  const std::uint64_t offset = number_in(after(line, " is "));
  if (inside.starts_with("a block of size ")) {
    return MemoryPart{Kind::kHeap, "", offset, number_in(after(inside, "a block of size "))};
  }
  if (const std::string_view name = after(inside, " \""); !name.empty())
    return MemoryPart{Kind::kVariable, simple_name(name.substr(0, name.find('"'))), offset, 0};
  // An element or a member: the next line says what kind of variable it belongs to.
  return MemoryPart{Kind::kUnknown, simple_name(inside.substr(0, inside.find_first_of("[.,"))), 0,
                    0};
}

}  // namespace

std::optional<MemoryPart> memory_in(std::string_view line, std::uint64_t address) {
  if (line.find("Location is ") != std::string_view::npos)
    return of_thread_sanitizer(line, address);
  if (line.starts_with("Address 0x") || line.starts_with("Location 0x") ||
      line.starts_with("Allocation context: "))
    return of_valgrind(line);
  return std::nullopt;
}

}  // namespace snag::active
