// The memory that a program under measurement shares with the tool (runtime/cover_protocol.h).
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "engine/error.h"
#include "engine/failure.h"
#include "runtime/cover_protocol.h"

namespace snag::coverage {

class Store {
 public:
  // Everything is zero but the head, the configuration, and the begin: now.
  static engine::Expected<Store> create(const CoverConfig& config,
                                        std::span<const ModulePc> ignored);
  Store(Store&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), store_(std::exchange(other.store_, nullptr)) {}
  Store& operator=(Store&&) = delete;
  ~Store();

  // Passed on to programs that are started.
  int fd() const { return fd_; }
  CoverStore& get() const { return *store_; }

 private:
  Store(int fd, CoverStore* store) : fd_(fd), store_(store) {}

  int fd_;
  CoverStore* store_;
};

// Of a program that runs freely.
engine::ModuleMap copy_modules(const CoverStore& store);

}  // namespace snag::coverage
