// The verdicts for people, and as JSON.
#pragma once

#include <string>
#include <string_view>

#include "tool/active/session/active_session.h"
#include "tool/base/terminal.h"
#include "tool/binary/symbolizer.h"

namespace snag::active {

struct TextOptions {
  bool show_output = false;  // all of the program's output that was kept
  bool show_all = false;     // also what was predicted and not confirmed
};
std::string result_text(const ActiveResult& result, binary::Symbolizer& symbolizer,
                        const Painter& painter, const TextOptions& options);
std::string result_json(const ActiveResult& result, const std::string& program, std::uint64_t seed,
                        int exit_code);

std::string_view name_of(Verdict::End end);

// How many there are with this end.
std::size_t count_of(const ActiveResult& result, Verdict::End end);

}  // namespace snag::active
