// Failures that need no interleaving: they also happen when threads switch only when they must.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "tool/explore/explorer.h"

namespace snag::active {

// Identifies failures. Exits with the same status differ by the failed checks of a test framework.
class Signatures {
 public:
  explicit Signatures(binary::Symbolizer& symbolizer) : symbolizer_(symbolizer) {}

  // Adds a place that a framework's output may name: "file.cc:12".
  void add_counted_check(const std::string& location) { counted_checks_.insert(location); }
  bool need_output() const { return !counted_checks_.empty(); }
  std::string of(const session::FailedRun& run) const;

 private:
  binary::Symbolizer& symbolizer_;
  std::set<std::string> counted_checks_;
};

class SerialFailures {
 public:
  SerialFailures(const explore::ExploreOptions& explore, const Signatures& signatures,
                 binary::Symbolizer& symbolizer, std::function<bool()> should_stop)
      : explore_(explore),
        signatures_(signatures),
        symbolizer_(symbolizer),
        should_stop_(std::move(should_stop)) {}

  // The first call makes some runs. If these are impossible, every failure counts as one of them.
  bool contain(const session::FailedRun& run);

 private:
  // nullopt: it was interrupted, or failed.
  std::optional<std::set<std::string>> find() const;

  const explore::ExploreOptions& explore_;
  const Signatures& signatures_;
  binary::Symbolizer& symbolizer_;
  std::function<bool()> should_stop_;
  bool is_asked_ = false;
  std::optional<std::set<std::string>> known_;
};

}  // namespace snag::active
