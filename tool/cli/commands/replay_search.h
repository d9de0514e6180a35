// snag replay --or-search: if the schedule of a trace no longer leads to its failure, search for
// another one that does.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tool/explore/explorer.h"
#include "tool/trace/trace.h"

namespace snag::cli {

// The same search every time: strategy mix with the seed and the other settings of the trace, so
// that it finds what the trace's search would have found. Ends when something fails.
explore::ExploreResult search_again(const trace::Trace& trace, std::uint64_t program_hash,
                                    std::uint64_t runs, binary::Symbolizer& symbolizer,
                                    const std::function<bool()>& should_stop);

// The exit code of such a search; an error that is not the program's fault does not count as a
// failure found.
int search_exit_code(const explore::ExploreResult& result);

// The search and its result, in a sentence. `before` is the result of the replay.
std::string search_verdict(const explore::ExploreResult& result, const trace::Trace& trace,
                           std::uint64_t program_hash, const std::string& before);

}  // namespace snag::cli
