#include "tool/gen/session/result_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "tool/base/whole_file.h"

namespace snag::gen {
namespace {

// 0, or the error.
int write_to(int descriptor, const std::string& text) {
  return write_all(descriptor, text) == text.size() ? 0 : errno;
}

// 0, or the error. Some systems report only at closing that there was no room.
int make_file(const std::string& path, const std::string& text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return errno;
  int error = write_to(descriptor, text);
  if (close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) unlink(path.c_str());
  return error;
}

std::string cannot_write(const std::string& path, int error) {
  return fmt::format("cannot write '{}': {}", path, std::strerror(error));
}

}  // namespace

Expected<ResultFolder> ResultFolder::make(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::exists(path, failed) && !std::filesystem::is_directory(path, failed)) {
    return usage_error(
        fmt::format("--out '{}' is not a folder: name one, or a name that is free", path));
  }
  const bool is_made = std::filesystem::create_directories(path, failed);
  if (failed) {
    return usage_error(fmt::format("cannot make the folder '{}': {}; choose another --out", path,
                                   failed.message()));
  }
  ResultFolder folder(path, is_made);
  std::string probe = path + "/.snag-XXXXXX";
  const int descriptor = mkostemp(probe.data(), O_CLOEXEC);
  int error = descriptor < 0 ? errno : write_to(descriptor, "\n");
  if (descriptor >= 0) {
    if (close(descriptor) != 0 && error == 0) error = errno;
    unlink(probe.c_str());
  }
  if (error != 0) {
    return usage_error(
        fmt::format("cannot write to the folder '{}': {}; choose another "
                    "--out",
                    path, std::strerror(error)));
  }
  return folder;
}

ResultFolder::ResultFolder(ResultFolder&& other) noexcept
    : path_(std::move(other.path_)), is_made_(std::exchange(other.is_made_, false)) {}

ResultFolder::~ResultFolder() {
  if (is_made_) rmdir(path_.c_str());  // only if it is empty
}

Expected<void> write_new_file(const std::string& path, const std::string& text) {
  if (const int error = make_file(path, text); error != 0)
    return usage_error(cannot_write(path, error));
  return {};
}

Expected<std::string> write_numbered_test(const std::string& stem, const std::string& text) {
  for (int number = 1;; ++number) {
    const std::string base = fmt::format("{}-{}", stem, number);
    if (access((base + "_test.cc").c_str(), F_OK) == 0) continue;
    const int error = make_file(base + ".test", text);
    if (error == EEXIST) continue;
    if (error != 0) return usage_error(cannot_write(base + ".test", error));
    return base;
  }
}

Expected<NamelessFile> NamelessFile::make(const std::string& text) {
  const int descriptor = memfd_create("snag-gen-test", MFD_CLOEXEC);
  if (descriptor < 0)
    return internal_error(fmt::format("no memory for a test: {}", std::strerror(errno)));
  NamelessFile file(descriptor);
  if (const int error = write_to(descriptor, text); error != 0)
    return internal_error(fmt::format("no memory for a test: {}", std::strerror(error)));
  return file;
}

NamelessFile::NamelessFile(int descriptor)
    : descriptor_(descriptor), path_(fmt::format("/proc/{}/fd/{}", getpid(), descriptor)) {}

NamelessFile::NamelessFile(NamelessFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

NamelessFile::~NamelessFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace snag::gen
