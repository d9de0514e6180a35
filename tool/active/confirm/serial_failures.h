// Failures that need no interleaving: they also come where threads take turns only when they must.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "tool/explore/explorer.h"

namespace snag::active {

// Tells failures apart as a person would. Exits with the same status differ by the checks of a test
// framework that failed.
class Signatures {
 public:
  explicit Signatures(engine::Symbolizer& symbolizer) : symbolizer_(symbolizer) {}

  // A place that a framework's output may have: "file.cc:12".
  void add_counted_check(const std::string& location) { counted_checks_.insert(location); }
  bool need_output() const { return !counted_checks_.empty(); }
  std::string of(const engine::FailedRun& run) const;

 private:
  engine::Symbolizer& symbolizer_;
  std::set<std::string> counted_checks_;
};

class SerialFailures {
 public:
  SerialFailures(const engine::ExploreOptions& explore, const Signatures& signatures,
                 engine::Symbolizer& symbolizer, std::function<bool()> should_stop)
      : explore_(explore),
        signatures_(signatures),
        symbolizer_(symbolizer),
        should_stop_(std::move(should_stop)) {}

  // The first question costs some runs. Where these could not be made, it may be one of them.
  bool contain(const engine::FailedRun& run);

 private:
  // Nothing: it was interrupted, or did not work.
  std::optional<std::set<std::string>> find() const;

  const engine::ExploreOptions& explore_;
  const Signatures& signatures_;
  engine::Symbolizer& symbolizer_;
  std::function<bool()> should_stop_;
  bool is_asked_ = false;
  std::optional<std::set<std::string>> known_;
};

}  // namespace snag::active
