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
  // All zero, except the head, the configuration, and the start time.
  static Expected<Store> create(const CoverConfig& config, std::span<const ModulePc> ignored);

  // Child programs inherit it.
  int fd() const { return file_.fd(); }
  CoverStore& get() const { return *static_cast<CoverStore*>(file_.memory()); }

 private:
  explicit Store(SharedFile file) : file_(std::move(file)) {}

  SharedFile file_;
};

// The configuration for a program that runs without control.
binary::ModuleMap copy_modules(const CoverStore& store);

}  // namespace snag::coverage
