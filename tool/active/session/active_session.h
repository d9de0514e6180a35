// Active testing of one program: watch some runs, predict what could go wrong in others, and steer
// runs into it.
//
//   ActiveOptions options;
//   options.explore.program = program;
//   options.explore.runs = 50;  // for each candidate
//   const auto result = test_actively(options, symbolizer, {});
#pragma once

#include "tool/active/session/active_options.h"
#include "tool/active/session/active_result.h"
#include "tool/base/error.h"
#include "tool/binary/symbolizer.h"

namespace snag::active {

Expected<ActiveResult> test_actively(const ActiveOptions& options, binary::Symbolizer& symbolizer,
                                     const ActiveHooks& hooks);

}  // namespace snag::active
