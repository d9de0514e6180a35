// What became of the entries of another tool's report, as text and as JSON.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "tool/active/session/active_result.h"
#include "tool/base/terminal.h"

namespace snag::active {

enum class EntryEnd {
  kConfirmed,
  kUnclear,  // it is one of several races, and only some of these were confirmed
  kNotReproduced,
  kSuppressed,
  kNotTried,
};
std::string_view name_of(EntryEnd end);
EntryEnd end_of(const EntryResult& entry, const ActiveResult& result);

// ", entry 2 (line 40) of the report", by verdict; empty where nothing was reported.
std::map<std::size_t, std::string> entry_texts(const ActiveResult& result);
// The entries that verdicts do not cover, and how many entries ended in which way.
std::string report_text(const ActiveResult& result, const Painter& painter);
nlohmann::ordered_json report_json(const ActiveResult& result);

}  // namespace snag::active
