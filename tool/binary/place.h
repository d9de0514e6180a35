// A place in the program as messages name it, and the frame of a stack to choose for that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tool/binary/symbolizer.h"

namespace snag::binary {

// The innermost frame of a stack of return addresses that is the user's own; the innermost of all
// when there is none. nullptr if nothing is known. An address of 0 is skipped.
const Frame* user_frame(Symbolizer& symbolizer, const ModuleMap& modules,
                        std::span<const std::uint64_t> stack);
// The same for position-independent return addresses.
const Frame* user_frame_of_code(Symbolizer& symbolizer, const ModuleMap& modules,
                                std::span<const ModulePc> stack);

// "queue.cc:41"; without debug information the function.
std::string place_text(std::string_view file, int line, std::string_view function);
std::string place_text(const Frame* frame);
// "queue.cc:41 in Queue::pop"
std::string place_in_function(std::string_view file, int line, std::string_view function);
std::string place_in_function(const Frame* frame);

}  // namespace snag::binary
