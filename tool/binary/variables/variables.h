// From the address of a memory access to the name of the variable, as a person would write it.
//
//   ns::config.limits.max                        a global: the address is enough
//   Queue::count_                                a member of an object on the heap
//   local `done` of main, on the stack of T0
//   thread-local `depth` of T1
//   *p (16 bytes allocated at q.cc:20)
//   byte 4 of 16 bytes allocated at q.cc:20      when the source does not help
//
// Memory that has no fixed address is named by the expression in the source at the place of the
// access (tool/binary/variables/source_expression.h), with the types from the debug information.
// Where these agree with the block that was accessed, the name is certain. An expression that
// cannot be that memory is not its name: a local variable of the function is not on another
// thread's stack and not in the heap, a member lies within the block, and so on. If several are
// possible, the memory has no name: a wrong name is worse than none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/shared_memory.h"
#include "tool/binary/debug_file.h"
#include "tool/binary/module_map.h"
#include "tool/binary/symbolizer.h"
#include "tool/binary/variables/expression_types.h"
#include "tool/binary/variables/possible_expressions.h"

namespace snag::binary {

struct VariableName {
  std::string text;
  bool certain = false;
  // Of two names for the same memory, the one that says more is better.
  enum class Says {
    kWhere,       // only where the memory is
    kExpression,  // what the source calls it at a place that has only a pointer or reference to it
    kVariable,
  } says = Says::kWhere;

  bool is_better_than(const VariableName& other) const {
    return certain != other.certain ? certain : says > other.says;
  }
};

// An access to memory that is to be named.
struct Access {
  std::uint64_t address = 0;
  std::uint32_t size = 0;  // 0: not known
  Tid thread = kNoTid;
  AccessKind kind = AccessKind::kOther;
  std::span<const std::uint64_t> stack{};  // return addresses, innermost first
};

class Variables {
 public:
  // A line of a source file, unchanged, or nothing.
  using SourceReader = std::function<std::string(const std::string& path, int line)>;

  // Without the source, only static variables have names.
  explicit Variables(
      Symbolizer& symbolizer, SourceReader source = [](const std::string&, int) { return ""; })
      : symbolizer_(symbolizer), source_(std::move(source)) {}

  VariableName name(const ModuleMap& modules, const Access& access, const MemoryReport& memory);

  // The same for memory without a name of its own, as the source at the place of the access has it:
  // "q->count_". Empty if it is not clear, or cannot be that memory.
  std::string source_name(const ModuleMap& modules, const Access& access,
                          const MemoryReport& memory);

  // The static variable at the address, if there is one.
  std::optional<VariableName> global(const ModuleMap& modules, std::uint64_t address,
                                     std::uint32_t size);

  // The same as the parts of that name: the variable itself, and how far in it the address lies.
  struct InVariable {
    std::string name;  // qualified
    std::uint64_t offset = 0;
  };
  std::optional<InVariable> variable_at(const ModuleMap& modules, std::uint64_t address);

  // The source expressions for memory that is accessed there and is not a static variable. Several:
  // one of them, unknown which.
  std::vector<std::string> guesses(const ModuleMap& modules, std::uint64_t return_address,
                                   AccessKind access);

 private:
  struct DataPlace {
    const ModuleInfo* module;
    const DebugFile::Global* global;  // null: data without a name
    std::uint64_t own_address;        // as in the module's file
  };
  std::optional<DataPlace> find_data(const ModuleMap& modules, std::uint64_t address);
  struct Place;
  std::optional<Place> find_place(const ModuleMap& modules, std::span<const std::uint64_t> stack);
  struct Candidate;
  std::vector<std::vector<Candidate>> candidates(const Place& place, const Access& access);
  std::vector<Candidate> possible(const Place& place, const Access& access,
                                  const MemoryReport& memory);
  static bool may_be(const ResolvedExpression& expression, const Place& place, const Access& access,
                     const MemoryReport& memory);
  std::optional<ResolvedExpression> resolve(SourceExpression source, const Place& place);
  bool is_static(const ResolvedExpression& expression, const Place& place);
  DebugFile& debug_file(const std::string& path);

  Symbolizer& symbolizer_;
  SourceReader source_;
  std::map<std::string, std::unique_ptr<DebugFile>> files_;
};

}  // namespace snag::binary
