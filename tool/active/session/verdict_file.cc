#include "tool/active/session/verdict_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tool/base/json.h"
#include "tool/base/json_reader.h"
#include "tool/base/whole_file.h"

namespace snag::active {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "snag active verdicts";
// Far more than a session can judge in its lifetime; the file may be anything.
constexpr std::size_t kMostEntries = 10'000'000;

StoredVerdict read_verdict(JsonReader& reader, const json& entry) {
  const auto count = [&](const char* name) {
    return static_cast<std::uint32_t>(reader.number_field(entry, name, UINT32_MAX));
  };
  StoredVerdict verdict;
  verdict.confirmed = reader.flag_field(entry, "confirmed");
  verdict.harmful = reader.flag_field(entry, "harmful");
  verdict.explained = reader.flag_field(entry, "explained");
  verdict.runs = reader.number_field(entry, "runs", UINT64_MAX);
  verdict.arrived = count("arrived");
  verdict.together = count("together");
  verdict.happened = count("happened");
  verdict.trace = reader.text_field(entry, "trace");
  verdict.consequences = reader.text_field(entry, "consequences");
  verdict.signature = reader.text_field(entry, "signature");
  return verdict;
}

}  // namespace

Expected<void> check_verdict_file(const std::string& path) {
  struct stat there {};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    return usage_error(
        fmt::format("--file '{}' is not a regular file: name another one, or a new one", path));
  }
  // The new file is removed at once: it only shows that one can be written.
  if (const auto file = FileBeside::open(path, mode_of_new_file()); !file)
    return usage_error(fmt::format("{}; name another place by --file", file.error().message));
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
  const json root = try_parse_json(text.str());
  JsonReader header;
  const std::string format = header.text_field(root, "format");
  const std::uint64_t version = header.number_field(root, "version", UINT64_MAX);
  if (format != kFormat || version != kVerdictFileVersion) {
    return usage_error(
        fmt::format("'{}' is not a snag active file, or has an unsupported version: name another "
                    "one by --file, or remove it",
                    path));
  }
  // A field that is missing or has the wrong type costs only itself: its value is empty.
  JsonReader reader;
  if (reader.number_field(root, "program_hash", UINT64_MAX) != program_hash ||
      reader.text_field(root, "arguments") != arguments)
    return stored;
  for (const json& entry : reader.list(root, "candidates", kMostEntries)) {
    if (entry.is_object())
      stored.verdicts[reader.text_field(entry, "key")] = read_verdict(reader, entry);
  }
  for (const json& entry : reader.list(root, "failures", kMostEntries)) {
    if (!entry.is_object()) continue;
    stored.failures[reader.text_field(entry, "signature")] = {reader.text_field(entry, "text"),
                                                              reader.text_field(entry, "trace")};
  }
  return stored;
}

Expected<void> write_verdicts(const std::string& path, const Stored& stored) {
  nlohmann::ordered_json root;
  root["format"] = kFormat;
  root["version"] = kVerdictFileVersion;
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
  return write_whole_file(path, json_text(root, 1) + "\n");
}

}  // namespace snag::active
