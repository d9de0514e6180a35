// From addresses in a module's file to locations of the data.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "tool/binary/call_sites.h"
#include "tool/binary/symbolizer.h"
#include "tool/coverage/data/data.h"

namespace snag::coverage {

class Places {
 public:
  Places(CoverData& data, binary::Symbolizer& symbolizer) : data_(data), symbolizer_(symbolizer) {}

  // `return_address` as the file gives addresses. Remembered.
  const Chain& chain(const std::string& path, std::uint64_t return_address);
  // The innermost frame that is the user's own, or 0.
  std::uint32_t shown(const Chain& chain);
  bool is_users(const Place& place);
  // Snag's own code, which is linked into the program.
  bool is_runtime(const Chain& chain) const;

  // The calls of hooks in a module's file; empty if there are none, or it cannot be read.
  const std::vector<binary::CallSite>& call_sites(const std::string& path);
  // What the hook at the address reports, if it is one.
  std::optional<LocationKind> kind_at(const std::string& path, std::uint64_t return_address);

 private:
  TextId file_id(const std::string& path);

  CoverData& data_;
  binary::Symbolizer& symbolizer_;
  std::map<std::string, std::unordered_map<std::uint64_t, Chain>> chains_;
  std::map<std::string, std::vector<binary::CallSite>> sites_;
  std::unordered_map<std::string, TextId> files_;
  std::map<std::pair<TextId, TextId>, bool> users_;  // by file and function
};

}  // namespace snag::coverage
