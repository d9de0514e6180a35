// The data file: lines of text, each a record with a checksum in front, so that a reader detects
// records that were cut by a power failure or a full disk. Measuring only ever appends to it.
// docs/internals/coverage-recorder.md has the list of records.
//
// Records refer to earlier ones by numbers that count from 1. A record about something known adds
// to it, so the file of a longer measurement begins with that of a shorter one.
#pragma once

#include <string>
#include <string_view>

#include "tool/base/error.h"
#include "tool/coverage/data/data.h"

namespace snag::coverage {

inline constexpr int kCoverFileVersion = 1;
inline constexpr const char* kDefaultCoverFile = "snag.cover";
// Limits for untrusted files, far above what any measurement writes.
inline constexpr std::size_t kMaxCoverFileBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMaxFrames = 256;
inline constexpr std::size_t kMaxFileModules = 1024;

// Turns data into records: those that are new since the last call.
class RecordWriter {
 public:
  // Empty if there is nothing new. The first call begins with the head of the file. The last call
  // also writes counts that grew only a little.
  std::string news(const CoverData& data, bool is_last);

 private:
  struct WrittenLocation {
    std::uint32_t seen = 0;
  };
  struct WrittenPair {
    std::uint32_t state = 0;
    TextId variable = 0;
    bool operator==(const WrittenPair&) const = default;
  };
  void write_head(const CoverData& data);
  void write_texts(const CoverData& data);
  void write_modules(const CoverData& data);
  void write_shards(const CoverData& data);
  void write_locations(const CoverData& data);
  void write_pairs(const CoverData& data);
  void write_seen(const CoverData& data, LocationId id);
  void end_record(std::size_t begin);  // fills in the checksum

  std::string out_;
  bool has_head_ = false;
  bool is_last_ = false;
  std::size_t texts_ = 1;
  std::vector<ModuleFile> modules_;
  std::vector<Shard> shards_;
  std::vector<WrittenLocation> locations_;
  std::vector<WrittenPair> pairs_;
  std::map<std::pair<std::uint32_t, ShardId>, std::uint64_t> counts_;
  std::map<std::uint32_t, TextId> proposals_;
};

// The last record, of data that is complete.
std::string end_of_file();
// The whole file, in the order of the data.
std::string format_cover(const CoverData& data);

struct ReadCover {
  CoverData data;
  std::size_t bad_lines = 0;  // cut or damaged, and skipped
};
Expected<ReadCover> parse_cover(std::string_view text, const std::string& name);
Expected<ReadCover> read_cover(const std::string& path);

// The checksum of a line's body, which the line begins with as eight hexadecimal digits.
std::uint32_t checksum_of(std::string_view body);

}  // namespace snag::coverage
