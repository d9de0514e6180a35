// The memory that a program under measurement shares with the tool (protocol/coverage.h).
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "protocol/coverage.h"
#include "tool/base/error.h"
#include "tool/base/shared_file.h"
#include "tool/session/failed_run.h"

namespace snag::coverage {

class Store {
 public:
  // Everything is zero but the head, the configuration, and the begin: now.
  static Expected<Store> create(const CoverConfig& config, std::span<const ModulePc> ignored);

  // Passed on to programs that are started.
  int fd() const { return file_.fd(); }
  CoverStore& get() const { return *static_cast<CoverStore*>(file_.memory()); }

 private:
  explicit Store(SharedFile file) : file_(std::move(file)) {}

  SharedFile file_;
};

// Of a program that runs freely.
binary::ModuleMap copy_modules(const CoverStore& store);

}  // namespace snag::coverage
