#include "tool/binary/variables/variables.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/base/text.h"
#include "tool/binary/dwarf_types.h"
#include "tool/binary/place.h"
#include "tool/binary/variables/expression_types.h"
#include "tool/binary/variables/source_expression.h"

namespace snag::binary {
namespace {

using Base = ResolvedExpression::Base;

std::string of_thread(const char* what, Tid thread) {
  return thread == kNoTid ? fmt::format("{} a thread", what) : fmt::format("{} T{}", what, thread);
}

// "main" of "main::{lambda#1}::operator()".
std::string around_lambda(const std::string& function) {
  for (const char* lambda : {"::{lambda", "::$_", "::'lambda"}) {
    if (const std::size_t at = function.find(lambda); at != std::string::npos)
      return function.substr(0, at);
  }
  return function;
}

// "16 bytes allocated at q.cc:20".
std::string block_text(const MemoryReport& memory, Symbolizer& symbolizer,
                       const ModuleMap& modules) {
  std::string text = fmt::format("{} byte{}", memory.size, memory.size == 1 ? "" : "s");
  const std::size_t depth = std::min<std::size_t>(memory.alloc_depth, kMaxStackDepth);
  for (std::size_t i = 0; i < depth; ++i) {
    const Frame* frame = display_frame(symbolizer.lookup(modules, memory.alloc_stack[i]));
    if (frame == nullptr || !is_user_frame(*frame)) continue;
    return fmt::format("{} allocated at {}", text, place_text(frame));
  }
  return text + " on the heap";
}

// Whether the block holds objects of the expression's class, and the access hits the expression.
bool fits_block(const ResolvedExpression& expression, std::uint64_t offset, std::uint32_t size,
                std::uint64_t block_size) {
  const std::uint64_t object = expression.object ? size_of(*expression.object) : 0;
  if (object == 0 || expression.size == 0 || block_size % object != 0) return false;
  const std::uint64_t inside = offset % object;
  return inside >= expression.offset && inside + size <= expression.offset + expression.size;
}

// Of a smart pointer and its target, the one that is in the block.
std::optional<ResolvedExpression> choose(const std::vector<ResolvedExpression>& expressions,
                                         std::uint64_t address, std::uint32_t size,
                                         const MemoryReport& memory) {
  if (expressions.empty()) return std::nullopt;
  if (memory.kind != MemoryKind::kHeap) return expressions.front();
  for (const ResolvedExpression& expression : expressions) {
    if (address >= memory.begin &&
        fits_block(expression, address - memory.begin, size, memory.size))
      return expression;
  }
  return expressions.back();
}

VariableName in_heap(const std::optional<ResolvedExpression>& expression, std::uint64_t address,
                     std::uint32_t size, const MemoryReport& memory, const std::string& block) {
  const std::uint64_t offset = address - memory.begin;
  const bool is_inside = address >= memory.begin && offset < memory.size;
  const std::string where =
      is_inside && offset > 0 ? fmt::format("byte {} of {}", offset, block) : block;
  if (!expression) return {where, false};
  if (!expression->object) {
    if (expression->base == Base::kCaptured && !expression->is_indirect)
      return {fmt::format("captured `{}`", expression->name), false};
    // A local variable is not in the heap, but its target may be.
    const bool is_pointer_itself = expression->base == Base::kLocal && !expression->is_indirect;
    if (is_pointer_itself && !(expression->type && target_of(*expression->type)))
      return {where, false};
    return {fmt::format("{}{} ({})", is_pointer_itself ? "*" : "", expression->text, block), false};
  }
  if (is_inside && fits_block(*expression, offset, size, memory.size))
    return {expression->text, true};
  if (is_inside && memory.size == size_of(*expression->object)) {
    // It is such an object, but another member: the compiler's column was not exact.
    const std::string path = path_at(*expression->object, offset, size);
    const std::string name = type_name(*expression->object);
    if (!path.empty() && !name.empty()) return {fmt::format("{}::{}", name, path.substr(1)), false};
  }
  return {expression->text, false};
}

VariableName in_stack(const std::optional<ResolvedExpression>& expression,
                      const std::string& function, Tid thread) {
  const std::string stack = of_thread("on the stack of", thread);
  if (!expression) return {fmt::format("memory {}", stack), false};
  const bool is_local = expression->base == Base::kCaptured ||
                        (expression->base == Base::kLocal && !expression->is_indirect);
  if (!is_local || expression->text.find_first_of("*[:") != std::string::npos)
    return {fmt::format("{}, {}", expression->text, stack), false};
  return {fmt::format("local `{}` of {}, {}", expression->text, function, stack), false};
}

}  // namespace

// The user's own code that made the access.
struct Variables::Place {
  Frame frame;
  bool is_called = false;  // the access itself is in a library
  std::optional<Dwarf_Die> function;
  DebugFile* file = nullptr;
};

DebugFile& Variables::debug_file(const std::string& path) {
  std::unique_ptr<DebugFile>& file = files_[path];
  if (file == nullptr) file = std::make_unique<DebugFile>(path);
  return *file;
}

std::optional<Variables::Place> Variables::find_place(const ModuleMap& modules,
                                                      std::span<const std::uint64_t> stack) {
  for (const std::uint64_t return_address : stack) {
    const Frames& frames = symbolizer_.lookup(modules, return_address);
    const auto found = std::find_if(frames.begin(), frames.end(), is_user_frame);
    if (found == frames.end()) continue;
    Place place;
    place.frame = *found;
    place.is_called = return_address != stack.front() || found != frames.begin();
    for (const ModuleInfo& module : modules.modules()) {
      if (return_address <= module.begin || return_address > module.end) continue;
      place.file = &debug_file(module.path);
      const auto functions = place.file->functions_at(return_address - module.base - 1);
      const auto index = static_cast<std::size_t>(found - frames.begin());
      if (index < functions.size()) place.function = functions[index];
      break;
    }
    return place;
  }
  return std::nullopt;
}

std::optional<Variables::DataPlace> Variables::find_data(const ModuleMap& modules,
                                                         std::uint64_t address) {
  for (const ModuleInfo& module : modules.modules()) {
    if (address < module.base) continue;
    const std::uint64_t own = address - module.base;
    DebugFile& file = debug_file(module.path);
    if (file.contains(own)) return DataPlace{&module, file.global_at(own), own};
  }
  return std::nullopt;
}

std::optional<VariableName> Variables::global(const ModuleMap& modules, std::uint64_t address,
                                              std::uint32_t size) {
  const auto place = find_data(modules, address);
  if (!place) return std::nullopt;
  const DebugFile::Global* global = place->global;
  if (global == nullptr)
    return VariableName{fmt::format("data of {}", base_name(place->module->path)), false};
  const std::uint64_t offset = place->own_address - global->begin;
  if (global->type) return VariableName{global->name + path_at(*global->type, offset, size), true};
  return VariableName{
      offset == 0 ? global->name : fmt::format("byte {} of {}", offset, global->name), true};
}

std::optional<Variables::InVariable> Variables::variable_at(const ModuleMap& modules,
                                                            std::uint64_t address) {
  const auto place = find_data(modules, address);
  if (!place || place->global == nullptr) return std::nullopt;
  return InVariable{place->global->name, place->own_address - place->global->begin};
}

// The source's expressions for the place; several if a library's operator is involved, see
// resolve_expression.
std::vector<ResolvedExpression> Variables::expressions(const Place& place) {
  if (!place.function) return {};
  const int line = place.frame.line;
  SourceExpression source =
      accessed_expression(source_(place.frame.file, line), place.frame.column);
  // A call whose function is not a library's makes its accesses elsewhere.
  if (source.is_called && !place.is_called) source = {};
  auto found = resolve_expression(source, *place.function, line, *place.file);
  if (found.empty() && !place.is_called) {
    source.parts = {{SourceExpression::Step::kName, variable_declared_at(*place.function, line)}};
    found = resolve_expression(source, *place.function, line, *place.file);
  }
  if (!place.is_called && found.size() > 1) found.erase(found.begin(), found.end() - 1);
  return found;
}

std::optional<ResolvedExpression> Variables::resolve(SourceExpression source, const Place& place) {
  // A call whose function is not a library's makes its accesses elsewhere.
  if (source.is_called && !place.is_called) return std::nullopt;
  auto found = resolve_expression(source, *place.function, place.frame.line, *place.file);
  if (found.empty()) return std::nullopt;
  return place.is_called ? found.front() : found.back();
}

// Whether its memory is that of a static variable.
bool Variables::is_static(const ResolvedExpression& expression, const Place& place) {
  return expression.base == Base::kGlobal && !expression.is_indirect &&
         place.file->global_named(expression.name) != nullptr;
}

std::vector<std::string> Variables::guesses(const ModuleMap& modules, std::uint64_t return_address,
                                            AccessKind access) {
  const auto place = find_place(modules, std::span(&return_address, 1));
  if (!place || !place->function) return {};
  const std::string line = source_(place->frame.file, place->frame.line);
  const int column = place->frame.column;
  std::vector<std::string> names;
  const auto possible = possible_expressions(line, column, access);
  for (const SourceExpression& source : possible) {
    auto found = resolve(source, *place);
    if (!found) continue;
    const bool is_object = found->type && is_class(*found->type);
    const bool is_other = is_static(*found, *place) || (is_object && !found->is_indirect);
    if (!place->is_called && is_other && possible.size() == 1) {
      if (auto element = resolve(element_at(line, column), *place)) found = element;
    }
    // A library may access memory that belongs to the object but lies elsewhere.
    if (is_static(*found, *place) && !(place->is_called && is_object)) continue;
    names.push_back(found->text);
  }
  if (!possible.empty() || place->is_called || access == AccessKind::kRead) return names;
  const std::string declared = variable_declared_at(*place->function, place->frame.line);
  if (const auto found = resolve({{{SourceExpression::Step::kName, declared}}}, *place))
    names.push_back(found->text);
  return names;
}

VariableName Variables::name(const ModuleMap& modules, std::uint64_t address, std::uint32_t size,
                             const MemoryReport& memory, std::span<const std::uint64_t> stack) {
  if (memory.kind == MemoryKind::kGlobal || memory.kind == MemoryKind::kUnknown) {
    if (auto found = global(modules, address, size)) return *found;
  }
  std::optional<ResolvedExpression> expression;
  std::string function = "a function";
  const auto place = find_place(modules, stack);
  if (place) {
    expression = choose(expressions(*place), address, size, memory);
    if (!place->frame.function.empty()) function = around_lambda(place->frame.function);
  }
  switch (memory.kind) {
    case MemoryKind::kHeap:
      return in_heap(expression, address, size, memory, block_text(memory, symbolizer_, modules));
    case MemoryKind::kStack:
      return in_stack(expression, function, memory.thread);
    case MemoryKind::kThreadLocal:
      if (expression && place->file->has_thread_local(expression->name))
        return {
            fmt::format("thread-local `{}` {}", expression->text, of_thread("of", memory.thread)),
            false};
      return {of_thread("thread-local memory of", memory.thread), false};
    default:
      return {expression ? expression->text : "unknown memory", false};
  }
}

}  // namespace snag::binary
