#include "tool/coverage/measure/cover_places.h"

#include <algorithm>
#include <filesystem>

namespace snag::coverage {

// "a/../q.h" and "q.h" are the same file.
TextId Places::file_id(const std::string& path) {
  const auto [entry, is_new] = files_.try_emplace(path);
  if (is_new)
    entry->second = data_.text_id(std::filesystem::path(path).lexically_normal().string());
  return entry->second;
}

const Chain& Places::chain(const std::string& path, std::uint64_t return_address) {
  const auto [entry, is_new] = chains_[path].try_emplace(return_address);
  if (!is_new) return entry->second;
  for (const binary::Frame& frame : symbolizer_.lookup_file(path, return_address - 1)) {
    entry->second.push_back({frame.file.empty() ? 0 : file_id(frame.file),
                             data_.text_id(frame.function), std::max(frame.line, 0),
                             std::max(frame.column, 0), std::max(frame.function_line, 0)});
  }
  return entry->second;
}

bool Places::is_users(const Place& place) {
  const auto [entry, is_new] = users_.try_emplace({place.file, place.function});
  if (is_new) {
    binary::Frame frame;
    frame.file = data_.text(place.file);
    frame.function = data_.text(place.function);
    entry->second = binary::is_user_frame(frame);
  }
  return entry->second;
}

bool Places::is_runtime(const Chain& chain) const {
  return std::any_of(chain.begin(), chain.end(), [&](const Place& place) {
    const std::string& function = data_.text(place.function);
    return function.starts_with("snag::rt::") || function.starts_with("__tsan_") ||
           function.starts_with("__wrap_");
  });
}

std::uint32_t Places::shown(const Chain& chain) {
  const auto found =
      std::find_if(chain.begin(), chain.end(), [&](const Place& place) { return is_users(place); });
  return found == chain.end() ? 0 : static_cast<std::uint32_t>(found - chain.begin());
}

const std::vector<binary::CallSite>& Places::call_sites(const std::string& path) {
  const auto [entry, is_new] = sites_.try_emplace(path);
  if (is_new) {
    if (auto sites = binary::find_call_sites(path)) entry->second = std::move(*sites);
  }
  return entry->second;
}

std::optional<LocationKind> Places::kind_at(const std::string& path, std::uint64_t return_address) {
  const std::vector<binary::CallSite>& sites = call_sites(path);
  const auto found = std::lower_bound(sites.begin(), sites.end(), return_address,
                                      [](const binary::CallSite& site, std::uint64_t address) {
                                        return site.return_address < address;
                                      });
  if (found == sites.end() || found->return_address != return_address) return std::nullopt;
  return found->kind;
}

}  // namespace snag::coverage
