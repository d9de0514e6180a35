#include "tool/coverage/measure/cover_store.h"

#include <time.h>

#include <algorithm>

namespace snag::coverage {

Expected<Store> Store::create(const CoverConfig& config, std::span<const ModulePc> ignored) {
  auto file = SharedFile::create("snag-cover", sizeof(CoverStore), true);
  if (!file) return tl::unexpected(file.error());
  // It is zeroed, which is the initial value of everything in it. (To construct it would write all
  // of it, since C++20 every atomic by itself: a hundred MiB, mostly of tables that stay empty.)
  auto* store = static_cast<CoverStore*>(file->memory());
  store->magic = kCoverMagic;
  store->version = kCoverVersion;
  store->config = config;
  store->config.ignored_count =
      static_cast<std::uint32_t>(std::min<std::size_t>(ignored.size(), kMaxIgnored));
  std::copy_n(ignored.begin(), store->config.ignored_count, store->ignored);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  store->begin_ns = static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
                    static_cast<std::uint64_t>(now.tv_nsec);
  return Store(std::move(*file), *store);
}

bool Store::is_overwritten() const {
  const CoverStore& store = get();
  const CoverConfig& config = store.config;
  return store.magic != kCoverMagic || store.version != kCoverVersion ||
         store.begin_ns != begin_ns_ || config.metrics != config_.metrics ||
         config.context != config_.context || config.target != config_.target ||
         config.ignored_count != config_.ignored_count || store.module_count > kMaxModules ||
         store.location_count.load() > kMaxCoverLocations ||
         store.pair_count.load() > kMaxCoverPairs;
}

binary::ModuleMap copy_modules(const CoverStore& store) {
  std::vector<binary::ModuleInfo> modules;
  const std::uint32_t count = std::min(store.module_count, kMaxModules);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Module& module = store.modules[i];
    modules.push_back({module.base, module.begin, module.end,
                       session::bounded_string(module.path, sizeof(module.path))});
  }
  return binary::ModuleMap(std::move(modules));
}

}  // namespace snag::coverage
