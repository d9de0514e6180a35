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
  // Whether the program wrote over what it must not change, or what is there cannot be true.
  bool is_overwritten() const;
  CoverStore& get() const { return *static_cast<CoverStore*>(file_.memory()); }

 private:
  Store(SharedFile file, const CoverStore& begin)
      : file_(std::move(file)), config_(begin.config), begin_ns_(begin.begin_ns) {}

  SharedFile file_;
  CoverConfig config_{};
  std::uint64_t begin_ns_ = 0;
};

// The configuration for a program that runs without control.
binary::ModuleMap copy_modules(const CoverStore& store);

}  // namespace snag::coverage
