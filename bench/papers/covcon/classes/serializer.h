// Writes named values as XML. How a name becomes a tag is computed once and kept in a cache that
// all threads share, without a lock. With CORRECT it has one.
// In the paper: XStream, a data race.
#pragma once

#include <cctype>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace study {

class Serializer {
 public:
  Serializer() = default;

  // Another name in the output.
  void alias(const std::string& name, const std::string& tag) {
    std::lock_guard lock(mutex_);
    aliases_[name] = tag;
    tags_.clear();
  }
  bool remove_alias(const std::string& name) {
    std::lock_guard lock(mutex_);
    tags_.clear();
    return aliases_.erase(name) == 1;
  }
  void omit(const std::string& name) {
    std::lock_guard lock(mutex_);
    omitted_[name] = true;
  }
  bool is_omitted(const std::string& name) const {
    std::lock_guard lock(mutex_);
    return omitted_.count(name) != 0;
  }

  std::string tag_of(const std::string& name) const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    return cached_tag(name);
  }
  std::string to_xml(const std::string& name, int value) const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    const std::string tag = cached_tag(name);
    return "<" + tag + ">" + std::to_string(value) + "</" + tag + ">";
  }
  std::string to_xml(const std::vector<std::pair<std::string, int>>& fields) const {
    std::lock_guard lock(mutex_);
    std::string text;
    for (const auto& [name, value] : fields) {
      if (omitted_.count(name) != 0) continue;
      const std::string tag = cached_tag(name);
      text += "<" + tag + ">" + std::to_string(value) + "</" + tag + ">";
    }
    return text;
  }
  std::size_t alias_count() const {
    std::lock_guard lock(mutex_);
    return aliases_.size();
  }

 private:
  const std::string& cached_tag(const std::string& name) const {
    auto found = tags_.find(name);
    if (found == tags_.end()) found = tags_.emplace(name, compute_tag(name)).first;
    return found->second;
  }
  std::string compute_tag(const std::string& name) const {
    const auto found = aliases_.find(name);
    std::string tag;
    for (const char c : found == aliases_.end() ? name : found->second)
      tag += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return tag.empty() ? "_" : tag;
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::string> aliases_;
  std::map<std::string, bool> omitted_;
  mutable std::unordered_map<std::string, std::string> tags_;
};

}  // namespace study
