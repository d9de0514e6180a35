// The places of an observation as text, and as candidates have them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/candidates/memory_part.h"
#include "tool/active/candidates/watched_run.h"
#include "tool/binary/symbolizer.h"
#include "tool/binary/variables/variables.h"

namespace snag::active {

// A place with its call stack, innermost frame first, including inlined functions.
struct NamedPlace {
  std::vector<binary::Frame> frames;
  std::size_t shown = 0;  // the user's innermost frame; 0 if there is none
  bool is_users = false;  // whether there is one
  CodePlace code;

  const binary::Frame* frame() const { return frames.empty() ? nullptr : &frames[shown]; }
};

class PlaceNames {
 public:
  PlaceNames(const Observation& observation, const binary::ModuleMap& modules,
             binary::Symbolizer& symbolizer)
      : observation_(observation), modules_(modules), symbolizer_(symbolizer) {}

  const NamedPlace& place(std::uint32_t id);
  // "tickets.cc:10 in Buy"
  std::string text(std::uint32_t id);
  // The variable with a fixed address at this memory; empty if there is none.
  const std::string& variable(std::uint64_t address, std::uint32_t size);
  // The same in terms of any build; kHeap if there is no such variable.
  const MemoryPart& variable_part(std::uint64_t address);
  binary::Symbolizer& symbolizer() { return symbolizer_; }

 private:
  const Observation& observation_;
  const binary::ModuleMap& modules_;
  binary::Symbolizer& symbolizer_;
  binary::Variables variables_{symbolizer_};
  std::unordered_map<std::uint32_t, NamedPlace> places_;
  std::map<std::uint64_t, std::string> names_;
  std::unordered_map<std::uint64_t, MemoryPart> parts_;
};

// "writes left at tickets.cc:10 in Buy"
std::string access_text(const WatchEvent& event, PlaceNames& names);

}  // namespace snag::active
