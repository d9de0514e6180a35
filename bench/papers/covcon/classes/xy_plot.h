// A plot with many properties. Most are locked; markers are added under the lock, but removed, and
// counted, without it. With CORRECT all of them are locked.
// In the paper: XYPlot, a data race in a class of more than 200 methods.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace study {

enum class Orientation { kHorizontal, kVertical };

class XYPlot {
 public:
  XYPlot() = default;

  Orientation orientation() const { return read(orientation_); }
  void set_orientation(Orientation orientation) { write(orientation_, orientation); }
  int weight() const { return read(weight_); }
  void set_weight(int weight) { write(weight_, weight); }
  bool is_domain_grid_visible() const { return read(domain_grid_); }
  void set_domain_grid_visible(bool visible) { write(domain_grid_, visible); }
  bool is_range_grid_visible() const { return read(range_grid_); }
  void set_range_grid_visible(bool visible) { write(range_grid_, visible); }
  std::string no_data_message() const { return read(no_data_message_); }
  void set_no_data_message(const std::string& text) { write(no_data_message_, text); }

  void set_dataset(int index, const std::string& name) {
    std::lock_guard lock(mutex_);
    datasets_[index] = name;
    changed();
  }
  std::optional<std::string> dataset(int index) const {
    std::lock_guard lock(mutex_);
    return find(datasets_, index);
  }
  std::size_t dataset_count() const {
    std::lock_guard lock(mutex_);
    return datasets_.size();
  }
  bool remove_dataset(int index) {
    std::lock_guard lock(mutex_);
    const bool is_removed = datasets_.erase(index) == 1;
    if (is_removed) changed();
    return is_removed;
  }
  void set_renderer(int index, const std::string& name) {
    std::lock_guard lock(mutex_);
    renderers_[index] = name;
    changed();
  }
  // Of that dataset, or of all.
  std::string renderer(int index) const {
    std::lock_guard lock(mutex_);
    return find(renderers_, index).value_or(find(renderers_, 0).value_or("line"));
  }
  void map_dataset_to_axis(int dataset, int axis) {
    std::lock_guard lock(mutex_);
    axis_of_[dataset] = axis;
    changed();
  }
  int axis_of_dataset(int dataset) const {
    std::lock_guard lock(mutex_);
    const auto found = axis_of_.find(dataset);
    return found == axis_of_.end() ? 0 : found->second;
  }

  void add_range_marker(double value) {
    std::lock_guard lock(mutex_);
    range_markers_.push_back(value);
    changed();
  }
  bool remove_range_marker(double value) {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    const auto found = std::find(range_markers_.begin(), range_markers_.end(), value);
    if (found == range_markers_.end()) return false;
    range_markers_.erase(found);
    changed();
    return true;
  }
  void clear_range_markers() {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    range_markers_.clear();
    changed();
  }
  std::size_t range_marker_count() const {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    return range_markers_.size();
  }

  // How often something was changed: so that somebody knows when to draw anew.
  int changes() const {
    std::lock_guard lock(mutex_);
    return changes_;
  }

 private:
  template <class T>
  T read(const T& member) const {
    std::lock_guard lock(mutex_);
    return member;
  }
  template <class T>
  void write(T& member, const T& value) {
    std::lock_guard lock(mutex_);
    member = value;
    changed();
  }
  static std::optional<std::string> find(const std::map<int, std::string>& in, int index) {
    const auto found = in.find(index);
    if (found == in.end()) return std::nullopt;
    return found->second;
  }
  void changed() { ++changes_; }

  mutable std::mutex mutex_;
  Orientation orientation_ = Orientation::kVertical;
  int weight_ = 1;
  bool domain_grid_ = true, range_grid_ = true;
  std::string no_data_message_;
  std::map<int, std::string> datasets_, renderers_;
  std::map<int, int> axis_of_;
  std::vector<double> range_markers_;
  int changes_ = 0;
};

}  // namespace study
