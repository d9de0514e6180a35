// A logger whose filter may be changed at any time. log() asks whether there is a filter, and then
// takes it: in between it may have been removed. With CORRECT it takes it once.
// In the paper: Logger, where log() ends in a NullPointerException.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace study {

enum class Level { kInfo, kWarning, kError };

class Logger {
 public:
  using Filter = std::function<bool(const std::string&)>;

  Logger() : name_("root") {}
  explicit Logger(const std::string& name) : name_(name) {}

  void set_level(Level level) {
    std::lock_guard lock(mutex_);
    level_ = level;
  }
  Level level() const {
    std::lock_guard lock(mutex_);
    return level_;
  }
  bool is_loggable(Level level) const {
    std::lock_guard lock(mutex_);
    return level >= level_;
  }

  void set_filter(const Filter& filter) {
    std::lock_guard lock(mutex_);
    filter_ = filter;
  }
  void remove_filter() {
    std::lock_guard lock(mutex_);
    filter_ = nullptr;
  }
  bool has_filter() const {
    std::lock_guard lock(mutex_);
    return filter_ != nullptr;
  }

  void log(Level level, const std::string& message) {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
    if (level < level_ || (filter_ && !filter_(message))) return;
    records_.push_back(name_ + ": " + message);
#else
    // The filter is foreign code: not called under the lock.
    if (!is_loggable(level)) return;
    if (has_filter() && !filter()(message)) return;
    std::lock_guard lock(mutex_);
    records_.push_back(name_ + ": " + message);
#endif
  }
  void info(const std::string& message) { log(Level::kInfo, message); }
  void error(const std::string& message) { log(Level::kError, message); }

  std::vector<std::string> records() const {
    std::lock_guard lock(mutex_);
    return records_;
  }
  std::vector<std::string> take_records() {
    std::lock_guard lock(mutex_);
    std::vector<std::string> taken;
    taken.swap(records_);
    return taken;
  }

 private:
#ifndef CORRECT
  Filter filter() const {
    std::lock_guard lock(mutex_);
    return filter_;
  }
#endif

  const std::string name_;
  mutable std::mutex mutex_;
  Level level_ = Level::kInfo;
  Filter filter_;
  std::vector<std::string> records_;
};

}  // namespace study
