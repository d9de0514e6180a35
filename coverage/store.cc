#include "coverage/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace snag::coverage {

engine::Expected<Store> Store::create(const CoverConfig& config,
                                      std::span<const ModulePc> ignored) {
  const int fd = memfd_create("snag-cover", MFD_ALLOW_SEALING);
  if (fd < 0) {
    return engine::internal_error(
        fmt::format("cannot create shared memory: {}", std::strerror(errno)));
  }
  // Sealed, so that a program gone wild cannot make the tool fault by truncating the file.
  void* memory = MAP_FAILED;
  if (ftruncate(fd, sizeof(CoverStore)) == 0 &&
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
    memory = mmap(nullptr, sizeof(CoverStore), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (memory == MAP_FAILED) {
    const int error = errno;
    close(fd);
    return engine::internal_error(fmt::format("cannot map {} MiB of shared memory: {}",
                                              sizeof(CoverStore) >> 20, std::strerror(error)));
  }
  // The file is born zeroed, which is the initial value of everything in it: default-initialise
  // only.
  auto* store = new (memory) CoverStore;
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
  return Store(fd, store);
}

Store::~Store() {
  if (store_ != nullptr) munmap(store_, sizeof(CoverStore));
  if (fd_ >= 0) close(fd_);
}

engine::ModuleMap copy_modules(const CoverStore& store) {
  std::vector<engine::ModuleInfo> modules;
  const std::uint32_t count = std::min(store.module_count, kMaxModules);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Module& module = store.modules[i];
    modules.push_back({module.base, module.begin, module.end,
                       engine::bounded_string(module.path, sizeof(module.path))});
  }
  return engine::ModuleMap(std::move(modules));
}

}  // namespace snag::coverage
