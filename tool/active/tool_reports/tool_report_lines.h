// The lines of other tools' reports. Each parser is given the lines of one tool, without prefixes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "tool/active/tool_reports/report_entry.h"

namespace snag::active {

// A line of a stack: nullopt if it is something else; a frame without a file if the tool knows
// none.
struct StackLine {
  std::uint32_t number = 0;  // ThreadSanitizer: counted from the innermost one
  std::uint64_t code = 0;    // address of the instruction, in its module or in the process
  ReportFrame frame;
};
// "    #1 Add() /src/race.cc:10:44 (race+0xe78d9) (BuildId: 3d0b)"
std::optional<StackLine> tsan_stack_line(std::string_view line);
// "   by 0x1092DE: Add() (race.cc:10)"
std::optional<StackLine> valgrind_stack_line(std::string_view line);

// The entry that is being read, and the stack in it that the next frames belong to.
class OpenEntry {
 public:
  using Sink = std::function<void(ReportEntry)>;
  explicit OpenEntry(Sink sink) : sink_(std::move(sink)) {}

  bool is_open() const { return is_open_; }
  Kind kind() const { return entry_.kind; }
  void begin(Kind kind, std::uint64_t line);
  // The next frames belong to this side. Frames before any side are ignored.
  void begin_side(ReportAccess access, std::uint32_t size);
  void end_side() { has_side_ = false; }
  // The address of the memory, from the line of the first access.
  void set_address(std::uint64_t address);
  // A line that describes the memory; others change nothing.
  void memory_line(std::string_view text);
  void add(const StackLine& line);
  void end();

 private:
  Sink sink_;
  ReportEntry entry_;
  bool is_open_ = false, has_side_ = false;
  std::uint32_t next_frame_ = 0;
  std::uint64_t address_ = 0;  // 0: not given
};

// What a line of a tool says about the memory at the address, if anything.
std::optional<MemoryPart> memory_in(std::string_view line, std::uint64_t address);

class TsanParser {
 public:
  explicit TsanParser(OpenEntry::Sink sink) : open_(std::move(sink)) {}
  // Whether the line is one of this tool's.
  bool line(std::string_view text, std::uint64_t number);
  bool is_inside() const { return open_.is_open(); }
  void end() { open_.end(); }

 private:
  OpenEntry open_;
};

class ValgrindParser {
 public:
  explicit ValgrindParser(OpenEntry::Sink sink) : open_(std::move(sink)) {}
  bool line(std::string_view text, std::uint64_t number);
  void end() { open_.end(); }

 private:
  bool header(std::string_view text, std::uint64_t number);

  OpenEntry open_;
};

// Lines of valgrind begin with "==123== "; nullopt for other lines. `process` identifies the
// process.
struct ValgrindLine {
  std::string_view process, text;
};
std::optional<ValgrindLine> valgrind_line(std::string_view line);

}  // namespace snag::active
