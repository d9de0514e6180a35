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

// Whether the object of the expression's class can lie in the block so that the access hits the
// expression: the block may be an object of a derived class, or hold others, too.
bool may_lie_in_block(const ResolvedExpression& expression, std::uint64_t offset,
                      std::uint32_t size, std::uint64_t block_size) {
  const std::uint64_t object = size_of(*expression.object);
  if (object == 0) return true;
  if (object > block_size || offset < expression.offset) return false;
  // An access to a part of the expression need not be to its begin.
  const std::uint64_t slack = expression.size > size ? expression.size - size : 0;
  const std::uint64_t begin = offset - expression.offset;
  return begin - std::min(begin, slack) + object <= block_size;
}

// Longer ones do not help.
constexpr std::size_t kMaxSourceName = 40;

// Addresses that only a null pointer leads to.
constexpr std::uint64_t kNullPages = 64 * 1024;

VariableName in_heap(const std::optional<ResolvedExpression>& expression, const Access& access,
                     const MemoryReport& memory, const std::string& block) {
  using Says = VariableName::Says;
  const std::uint64_t offset = access.address - memory.begin;
  const bool is_inside = access.address >= memory.begin && offset < memory.size;
  const std::string where =
      is_inside && offset > 0 ? fmt::format("byte {} of {}", offset, block) : block;
  if (!expression) return {where};
  if (expression->object) {
    if (is_inside && fits_block(*expression, offset, access.size, memory.size))
      return {expression->text, true, Says::kVariable};
    return {expression->text, false, Says::kExpression};
  }
  if (expression->base == Base::kCaptured && !expression->is_indirect)
    return {fmt::format("captured `{}`", expression->name), false, Says::kVariable};
  // Of a local smart pointer, the target.
  const bool is_pointer_itself = expression->base == Base::kLocal && !expression->is_indirect;
  if (is_pointer_itself && !(expression->type && target_of(*expression->type))) return {where};
  return {fmt::format("{}{} ({})", is_pointer_itself ? "*" : "", expression->text, block), false,
          Says::kExpression};
}

VariableName in_stack(const std::optional<ResolvedExpression>& expression,
                      const std::string& function, Tid thread) {
  using Says = VariableName::Says;
  const std::string stack = of_thread("on the stack of", thread);
  if (!expression) return {fmt::format("memory {}", stack)};
  if (expression->base == Base::kCaptured && !expression->is_indirect)
    return {fmt::format("captured `{}`, {}", expression->name, stack), false, Says::kVariable};
  const bool is_local = expression->is_enclosing_local ||
                        (expression->base == Base::kLocal && !expression->is_indirect);
  if (!is_local || expression->text.find_first_of("*[:") != std::string::npos)
    return {fmt::format("{}, {}", expression->text, stack), false,
            is_local ? Says::kVariable : Says::kExpression};
  return {fmt::format("local `{}` of {}, {}", expression->text, function, stack), false,
          Says::kVariable};
}

// g++ moves the body of an OpenMP construct to a function of its own, which gets the addresses of
// the variables that it shares. Its code reads those between the accesses that the source shows,
// and its lines and columns are often those of the construct.
bool is_openmp_body(const std::string& function) {
  return function.find("._omp_fn.") != std::string::npos;
}

}  // namespace

// The user's own code that made the access.
struct Variables::Place {
  Frame frame;
  bool is_called = false;  // the access itself is in a library
  bool is_openmp_body = false;
  std::optional<Dwarf_Die> function;
  std::uint64_t pc = 0;  // as in the file
  DebugFile* file = nullptr;

  ExpressionPlace of_expression() const { return {*function, frame.line, pc}; }
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
    place.is_openmp_body = is_openmp_body(found->function);
    place.is_called = return_address != stack.front() || found != frames.begin();
    for (const ModuleInfo& module : modules.modules()) {
      if (return_address <= module.begin || return_address > module.end) continue;
      place.file = &debug_file(module.path);
      place.pc = return_address - module.base - 1;
      const auto functions = place.file->functions_at(place.pc);
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
    return VariableName{fmt::format("data of {}", base_name(place->module->path))};
  const std::uint64_t offset = place->own_address - global->begin;
  const std::string text = global->type  ? global->name + path_at(*global->type, offset, size)
                           : offset == 0 ? global->name
                                         : fmt::format("byte {} of {}", offset, global->name);
  return VariableName{text, true, VariableName::Says::kVariable};
}

std::optional<Variables::InVariable> Variables::variable_at(const ModuleMap& modules,
                                                            std::uint64_t address) {
  const auto place = find_data(modules, address);
  if (!place || place->global == nullptr) return std::nullopt;
  return InVariable{place->global->name, place->own_address - place->global->begin};
}

// One expression of the source that the access may belong to.
struct Variables::Candidate {
  ResolvedExpression resolved;
  std::string written;  // as in the source
};

// The expressions of the source that the access may belong to, by their place. Each comes with the
// objects of classes whose operators it uses before it, see resolve_expression.
std::vector<std::vector<Variables::Candidate>> Variables::candidates(const Place& place,
                                                                     const Access& access) {
  if (!place.function) return {};
  const int line = place.frame.line, column = place.frame.column;
  const std::string text = source_(place.frame.file, line);
  std::vector<SourceExpression> sources = possible_expressions(text, column, access.kind);
  const bool has_places = !sources.empty();
  // A library may access the object that its function is called on, and its arguments.
  if (place.is_called) add_arguments(sources, text, column);
  // clang gives an element the column of its array.
  if (!place.is_called) sources.push_back(element_at(text, column));
  const bool is_declaration = !has_places && !place.is_called && access.kind != AccessKind::kRead;
  if (is_declaration) {
    sources.push_back(
        {{{SourceExpression::Step::kName, variable_declared_at(*place.function, line)}}});
  }
  std::vector<std::vector<Candidate>> all;
  for (const SourceExpression& source : sources) {
    // A call whose function is not a library's makes its accesses elsewhere.
    if (source.is_called && !place.is_called) continue;
    auto found = resolve_expression(source, place.of_expression(), *place.file);
    if (!place.is_called && found.size() > 1) found.erase(found.begin(), found.end() - 1);
    std::vector<Candidate> group;
    for (ResolvedExpression& resolved : found)
      group.push_back({std::move(resolved), source.text()});
    if (!group.empty()) all.push_back(std::move(group));
  }
  return all;
}

// Whether the access may be to the expression, as far as the memory tells.
bool Variables::may_be(const ResolvedExpression& expression, const Place& place,
                       const Access& access, const MemoryReport& memory) {
  const bool is_object = expression.type && is_class(*expression.type);
  // A library may access memory that belongs to the object but lies elsewhere.
  const bool is_elsewhere = place.is_called && is_object;
  if (!place.is_called && expression.size != 0 && access.size > expression.size) return false;
  // Nobody accesses a part of a pointer.
  const bool is_whole = expression.type && is_pointer(*expression.type);
  if (is_whole && access.size != 0 && access.size != expression.size) return false;
  const bool is_of_owner = access.thread == memory.thread;
  const bool is_itself = !expression.is_indirect;
  switch (memory.kind) {
    case MemoryKind::kStack:
      // Any of the variables that are shared; which of them lies there is not known.
      if (place.is_openmp_body) return false;
      if (!is_itself || expression.base == Base::kCaptured) return true;
      return expression.base == Base::kLocal && is_of_owner;
    case MemoryKind::kThreadLocal:
      return !is_itself || (is_of_owner && expression.base == Base::kGlobal &&
                            place.file->has_thread_local(expression.name));
    case MemoryKind::kHeap: {
      if (is_elsewhere) return true;
      if (is_itself) return expression.base == Base::kCaptured;
      const std::uint64_t offset = access.address - memory.begin;
      const bool is_inside = access.address >= memory.begin && offset < memory.size;
      return !is_inside || !expression.object ||
             may_lie_in_block(expression, offset, access.size, memory.size);
    }
    case MemoryKind::kGlobal:
    case MemoryKind::kUnknown:
      break;
  }
  if (access.address < kNullPages) {
    return !is_itself && expression.object && access.address >= expression.offset &&
           access.address - expression.offset <= expression.size;
  }
  if (is_itself && expression.base == Base::kGlobal)
    return is_elsewhere || place.file->has_thread_local(expression.name);
  return !is_itself || is_elsewhere;
}

// The expressions of the place that the access may be to. Where one of them is certain, the others
// do not count.
std::vector<Variables::Candidate> Variables::possible(const Place& place, const Access& access,
                                                      const MemoryReport& memory) {
  const bool is_inside = memory.kind == MemoryKind::kHeap && access.address >= memory.begin &&
                         access.address - memory.begin < memory.size;
  const auto fits = [&](const Candidate& candidate) {
    return is_inside &&
           fits_block(candidate.resolved, access.address - memory.begin, access.size, memory.size);
  };
  std::vector<Candidate> result;
  const auto add = [&](Candidate candidate) {
    const auto is_same = [&](const Candidate& other) {
      return other.resolved.text == candidate.resolved.text;
    };
    if (std::none_of(result.begin(), result.end(), is_same)) result.push_back(std::move(candidate));
  };
  for (std::vector<Candidate>& group : candidates(place, access)) {
    std::erase_if(group, [&](const Candidate& candidate) {
      return !may_be(candidate.resolved, place, access, memory);
    });
    if (group.empty()) continue;
    // Of a smart pointer and its target, the one that is in the block.
    const auto fitting = std::find_if(group.begin(), group.end(), fits);
    if (fitting != group.end()) {
      add(std::move(*fitting));
    } else {
      add(std::move(memory.kind == MemoryKind::kHeap ? group.back() : group.front()));
    }
  }
  if (std::any_of(result.begin(), result.end(), fits)) {
    std::erase_if(result, [&](const Candidate& candidate) { return !fits(candidate); });
  }
  return result;
}

std::optional<ResolvedExpression> Variables::resolve(SourceExpression source, const Place& place) {
  // A call whose function is not a library's makes its accesses elsewhere.
  if (source.is_called && !place.is_called) return std::nullopt;
  auto found = resolve_expression(source, place.of_expression(), *place.file);
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

VariableName Variables::name(const ModuleMap& modules, const Access& access,
                             const MemoryReport& memory) {
  using Says = VariableName::Says;
  if (memory.kind == MemoryKind::kGlobal || memory.kind == MemoryKind::kUnknown) {
    if (auto found = global(modules, access.address, access.size)) return *found;
  }
  std::optional<ResolvedExpression> expression;
  std::string function = "a function";
  const auto place = find_place(modules, access.stack);
  if (place) {
    auto found = possible(*place, access, memory);
    if (found.size() == 1) expression = std::move(found.front().resolved);
    if (!place->frame.function.empty()) function = around_lambda(place->frame.function);
  }
  switch (memory.kind) {
    case MemoryKind::kHeap:
      return in_heap(expression, access, memory, block_text(memory, symbolizer_, modules));
    case MemoryKind::kStack:
      return in_stack(expression, function, memory.thread);
    case MemoryKind::kThreadLocal: {
      if (!expression) return {of_thread("thread-local memory of", memory.thread)};
      if (!expression->is_indirect)
        return {
            fmt::format("thread-local `{}` {}", expression->text, of_thread("of", memory.thread)),
            false, Says::kVariable};
      return {fmt::format("{}, {}", expression->text,
                          of_thread("thread-local memory of", memory.thread)),
              false, Says::kExpression};
    }
    default:
      return expression ? VariableName{expression->text, false, Says::kExpression}
                        : VariableName{"unknown memory"};
  }
}

std::string Variables::source_name(const ModuleMap& modules, const Access& access,
                                   const MemoryReport& memory) {
  const auto place = find_place(modules, access.stack);
  if (!place || !place->function) return "";
  const auto found = possible(*place, access, memory);
  if (found.size() != 1) return "";
  // What a library updates for a local object, but not in it, is shared with others: the use count
  // of "v" may as well be that of the pointer that "p = v" overwrites.
  const ResolvedExpression& resolved = found.front().resolved;
  const bool is_local_itself = resolved.base == Base::kLocal && !resolved.is_indirect;
  if (place->is_called && is_local_itself && access.kind == AccessKind::kOther &&
      memory.kind != MemoryKind::kStack)
    return "";
  std::string text = found.front().written;
  for (const std::string_view prefix : {"this->", "::"}) {
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  }
  return text.size() > kMaxSourceName ? "" : text;
}

}  // namespace snag::binary
