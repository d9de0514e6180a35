#include "tool/active/session/verdict_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace snag::active {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "snag active verdicts";
constexpr int kVersion = 1;

template <class T>
T value_of(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return T();
  if constexpr (std::is_same_v<T, std::string>) return found->is_string() ? found->get<T>() : T();
  if constexpr (std::is_same_v<T, bool>) return found->is_boolean() ? found->get<T>() : T();
  if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>)
    return found->is_number_unsigned() ? found->get<T>() : T();
}

// Where to write first, so that an interrupted write does not destroy the old file.
std::string temporary_path(const std::string& path) { return path + ".new"; }

}  // namespace

Expected<void> check_verdict_file(const std::string& path) {
  struct stat there {};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    return usage_error(
        fmt::format("--file '{}' is no regular file: name another one, or one that is not there "
                    "yet",
                    path));
  }
  const int fd =
      open(temporary_path(path).c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
  if (fd < 0) {
    return usage_error(
        fmt::format("cannot write the verdicts to '{}': {}; name another place by --file", path,
                    std::strerror(errno)));
  }
  close(fd);
  std::remove(temporary_path(path).c_str());
  return {};
}

Expected<Stored> read_verdicts(const std::string& path, std::uint64_t program_hash,
                               const std::string& arguments) {
  Stored stored{program_hash, arguments, {}, {}};
  std::ifstream file(path);
  if (!file) {
    if (errno == ENOENT) return stored;
    return usage_error(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  }
  std::stringstream text;
  text << file.rdbuf();
  const json root = json::parse(text.str(), nullptr, false);
  if (!root.is_object() || value_of<std::string>(root, "format") != kFormat ||
      value_of<std::uint64_t>(root, "version") != kVersion) {
    return usage_error(fmt::format(
        "'{}' is no file of snag active (or of another version): name another one by --file, or "
        "remove it",
        path));
  }
  if (value_of<std::uint64_t>(root, "program_hash") != program_hash ||
      value_of<std::string>(root, "arguments") != arguments)
    return stored;
  const auto candidates = root.find("candidates");
  if (candidates == root.end() || !candidates->is_array()) return stored;
  for (const json& entry : *candidates) {
    if (!entry.is_object()) continue;
    StoredVerdict& verdict = stored.verdicts[value_of<std::string>(entry, "key")];
    verdict.confirmed = value_of<bool>(entry, "confirmed");
    verdict.harmful = value_of<bool>(entry, "harmful");
    verdict.explained = value_of<bool>(entry, "explained");
    verdict.runs = value_of<std::uint64_t>(entry, "runs");
    verdict.arrived = value_of<std::uint32_t>(entry, "arrived");
    verdict.together = value_of<std::uint32_t>(entry, "together");
    verdict.happened = value_of<std::uint32_t>(entry, "happened");
    verdict.trace = value_of<std::string>(entry, "trace");
    verdict.consequences = value_of<std::string>(entry, "consequences");
    verdict.signature = value_of<std::string>(entry, "signature");
  }
  const auto failures = root.find("failures");
  if (failures == root.end() || !failures->is_array()) return stored;
  for (const json& entry : *failures) {
    if (!entry.is_object()) continue;
    stored.failures[value_of<std::string>(entry, "signature")] = {
        value_of<std::string>(entry, "text"), value_of<std::string>(entry, "trace")};
  }
  return stored;
}

Expected<void> write_verdicts(const std::string& path, const Stored& stored) {
  nlohmann::ordered_json root;
  root["format"] = kFormat;
  root["version"] = kVersion;
  root["program_hash"] = stored.program_hash;
  root["arguments"] = stored.arguments;
  root["candidates"] = nlohmann::ordered_json::array();
  for (const auto& [key, verdict] : stored.verdicts) {
    root["candidates"].push_back({{"key", key},
                                  {"confirmed", verdict.confirmed},
                                  {"harmful", verdict.harmful},
                                  {"explained", verdict.explained},
                                  {"runs", verdict.runs},
                                  {"arrived", verdict.arrived},
                                  {"together", verdict.together},
                                  {"happened", verdict.happened},
                                  {"trace", verdict.trace},
                                  {"consequences", verdict.consequences},
                                  {"signature", verdict.signature}});
  }
  root["failures"] = nlohmann::ordered_json::array();
  for (const auto& [signature, failure] : stored.failures) {
    root["failures"].push_back(
        {{"signature", signature}, {"text", failure.text}, {"trace", failure.trace}});
  }
  std::ofstream file(temporary_path(path));
  file << root.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
  file.close();
  if (!file || std::rename(temporary_path(path).c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(temporary_path(path).c_str());
    return internal_error(fmt::format("cannot write '{}': {}", path, std::strerror(error)));
  }
  return {};
}

}  // namespace snag::active
