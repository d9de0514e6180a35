// Writes one call: the C++ that makes it in the driver, and the text that a report shows.
#pragma once

#include <string>
#include <vector>

#include "tool/gen/model/class_model.h"
#include "tool/gen/model/gen_target.h"

namespace snag::gen {

// A choice of types for the parameters of a template; parameters that are packs may get several.
using TemplateArguments = std::vector<std::vector<std::string>>;

// In code, $0$ stands for the first argument, and `object` for the object.
struct WrittenCall {
  std::string code_before, text_before;  // statements
  std::vector<std::string> code_arguments, text_arguments;
  std::vector<std::string> shown_types;
  std::vector<std::string> argument_types, bare_types;  // of the driver's arguments
  bool uses_object = false;                             // for more than the call itself
  bool has_single_position = false;                     // begin() without end()
  std::string output;  // a variable that the call fills, to be a part of its result
};

// `code` with the arguments in their places: made there, or, if `is_bound`, by statements before.
std::string with_arguments(const WrittenCall& call, std::string code, bool is_bound);
std::string bound_arguments(const WrittenCall& call);

class CallWriter {
 public:
  CallWriter(const ClassModel& model, const GenTarget& options)
      : model_(model), options_(options) {}

  // With the first `count` parameters.
  WrittenCall write(const Callable& callable, std::size_t count, const TemplateArguments& types);

 private:
  void write_parameter(const Callable& callable, const Parameter& parameter, std::size_t index);
  bool write_position(const Callable& callable, const std::vector<Parameter>& parameters,
                      std::size_t& index);
  bool write_range(const Callable& callable, const std::vector<Parameter>& parameters,
                   std::size_t& index, const TemplateArguments& types);
  bool write_buffer(const std::vector<Parameter>& parameters, std::size_t& index);
  bool write_own_part(const Callable& callable, const Parameter& parameter);
  bool write_found(const Parameter& parameter);
  void add(const std::string& code, const std::string& text);
  std::string new_argument(const std::string& type, const std::string& bare);
  void add_before(const std::string& statement);

  const ClassModel& model_;
  const GenTarget& options_;
  WrittenCall call_;
};

// The pool for a parameter, or -1.
int pool_of(const GenTarget& options, const Callable& callable, const Parameter& parameter,
            std::size_t index);

// Judged by the usual names: a template parameter for an iterator or for a function.
bool is_iterator_parameter(const Callable& callable, std::size_t template_index);
bool is_function_parameter(const Callable& callable, std::size_t template_index);

// A type as a person would write it.
std::string shown_type(std::string type, const ClassModel& model);

}  // namespace snag::gen
