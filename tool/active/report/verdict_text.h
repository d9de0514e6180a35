// The result of active testing as text and as JSON.
#pragma once

#include <string>

#include "tool/active/session/active_result.h"
#include "tool/base/terminal.h"
#include "tool/binary/symbolizer.h"

namespace snag::active {

struct TextOptions {
  bool show_output = false;  // show all of the program's output that was kept
  bool show_all = false;     // also show candidates that were not confirmed
};
std::string result_text(const ActiveResult& result, binary::Symbolizer& symbolizer,
                        const Painter& painter, const TextOptions& options);
std::string result_json(const ActiveResult& result, const std::string& program, std::uint64_t seed,
                        int exit_code);

}  // namespace snag::active
