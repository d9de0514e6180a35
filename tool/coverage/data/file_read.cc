// Implements tool/coverage/data/file.h: reading.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>

#include "tool/base/whole_file.h"
#include "tool/coverage/data/file.h"

namespace snag::coverage {
namespace {

constexpr std::string_view kMagic = "snag-cover ";
constexpr std::size_t kChecksumDigits = 8;

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Nothing if an escape is wrong.
std::optional<std::string> unescaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = digit_of(text[i + 1]), low = digit_of(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return result;
}

// Reads the fields of a record in order. After the first invalid field, all others are invalid,
// too.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  template <class Number>
  Number number(int base = 10) {
    const std::string_view field = next();
    Number value{};
    const auto [end, error] =
        std::from_chars(field.data(), field.data() + field.size(), value, base);
    if (error != std::errc{} || end != field.data() + field.size()) is_good_ = false;
    return value;
  }
  // At most `max`.
  std::uint32_t bounded(std::uint32_t max) {
    const auto value = number<std::uint32_t>();
    if (value > max) is_good_ = false;
    return is_good_ ? value : 0;
  }
  std::string_view next() {
    if (rest_.empty()) is_good_ = false;
    const std::size_t blank = std::min(rest_.find(' '), rest_.size());
    const std::string_view field = rest_.substr(0, blank);
    rest_.remove_prefix(std::min(blank + 1, rest_.size()));
    return field;
  }
  std::string text() {
    auto text = unescaped(rest_);
    rest_ = {};
    if (!text) is_good_ = false;
    return text.value_or("");
  }
  bool at_end() const { return rest_.empty(); }
  bool is_good() const { return is_good_; }
  void fail() { is_good_ = false; }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

// Maps the numbers of a file to those of the data. Numbers whose line is missing mean nothing.
class Numbers {
 public:
  // Each has a line of its own, so there cannot be more than lines.
  bool set(std::uint32_t number, std::size_t line, std::uint32_t id) {
    if (number == 0 || number > line) return false;
    if (number >= ids_.size()) ids_.resize(number + 1, kNone);
    ids_[number] = id;
    return true;
  }
  std::optional<std::uint32_t> get(std::uint32_t number) const {
    if (number >= ids_.size() || ids_[number] == kNone) return std::nullopt;
    return ids_[number];
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> ids_;
};

class Reader {
 public:
  // False if the record is damaged, or about something unknown.
  bool read_line(std::string_view line, std::size_t number) {
    line_ = number;
    if (line.size() < kChecksumDigits + 2 || line[kChecksumDigits] != ' ') return false;
    std::uint32_t checksum = 0;
    const auto [end, error] =
        std::from_chars(line.data(), line.data() + kChecksumDigits, checksum, 16);
    const std::string_view body = line.substr(kChecksumDigits + 1);
    if (error != std::errc{} || end != line.data() + kChecksumDigits ||
        checksum != checksum_of(body))
      return false;
    Fields fields(body);
    const std::string_view kind = fields.next();
    if (kind.size() != 1) return false;
    return read_record(kind[0], fields) && fields.is_good();
  }

  bool has_build() const { return has_build_; }
  ReadCover result;

 private:
  CoverData& data() { return result.data; }

  bool read_record(char kind, Fields& fields) {
    data().is_complete = kind == 'e';
    switch (kind) {
      case 'b':
        return read_build(fields);
      case 'i':
        data().build.ignored.insert(fields.text());
        return true;
      case 't':
        return read_text(fields);
      case 'm':
        return read_module(fields);
      case 'w':
        return read_shard(fields);
      case 'l':
        return read_location(fields);
      case 's':
        return read_seen(fields);
      case 'p':
        return read_pair(fields);
      case 'n':
        return read_count(fields);
      case 'r':
        return read_proposal(fields);
      default:
        return true;  // from a later Snag whose change did not need a new version number
    }
  }

  bool read_build(Fields& fields) {
    if (has_build_) return false;
    Build build;
    build.hash = fields.number<std::uint64_t>(16);
    build.context = fields.bounded(kMaxCoverContext);
    build.program = fields.text();
    if (!fields.is_good()) return false;
    data().build = std::move(build);
    has_build_ = true;
    return true;
  }

  bool read_text(Fields& fields) {
    const auto number = fields.number<std::uint32_t>();
    const std::string text = fields.text();
    return fields.is_good() && !text.empty() && texts_.set(number, line_, data().text_id(text));
  }

  TextId text(Fields& fields) {
    const auto number = fields.number<std::uint32_t>();
    if (number == 0) return 0;
    const auto id = texts_.get(number);
    if (!id) fields.fail();
    return id.value_or(0);
  }

  bool read_module(Fields& fields) {
    const auto hash = fields.number<std::uint64_t>(16);
    const bool is_scanned = fields.bounded(1) != 0;
    const TextId path = text(fields);
    if (!fields.is_good() || data().modules().size() >= kMaxFileModules) return false;
    return data().add_module(data().text(path), hash, is_scanned);
  }

  bool read_shard(Fields& fields) {
    const auto number = fields.number<std::uint32_t>();
    Shard shard;
    shard.id = fields.number<std::uint64_t>(16);
    shard.begin_ms = fields.number<std::uint64_t>();
    shard.is_controlled = fields.bounded(1) != 0;
    shard.metrics = fields.bounded(kAllMetrics);
    for (std::uint64_t& count : shard.counts) count = fields.number<std::uint64_t>();
    return fields.is_good() && shards_.set(number, line_, data().add_shard(shard));
  }

  std::uint32_t known(Fields& fields, const Numbers& numbers) {
    const auto id = numbers.get(fields.number<std::uint32_t>());
    if (!id) fields.fail();
    return id.value_or(0);
  }

  bool read_place(std::string_view field, Chain& chain) {
    constexpr std::size_t kNumbers = 5;
    std::array<std::uint32_t, kNumbers> numbers{};
    const char* at = field.data();
    const char* const end = at + field.size();
    for (std::size_t i = 0; i < kNumbers; ++i) {
      const auto [next, error] = std::from_chars(at, end, numbers[i]);
      const bool is_last = i + 1 == kNumbers;
      if (error != std::errc{} || (is_last ? next != end : next == end || *next != '.'))
        return false;
      at = next + 1;
    }
    constexpr std::uint32_t kMaxLine = 1u << 30;
    const auto file = numbers[0] == 0 ? std::optional(0u) : texts_.get(numbers[0]);
    const auto function = numbers[3] == 0 ? std::optional(0u) : texts_.get(numbers[3]);
    if (!file || !function || chain.size() >= kMaxFrames) return false;
    if (numbers[1] > kMaxLine || numbers[2] > kMaxLine || numbers[4] > kMaxLine) return false;
    chain.push_back({*file, *function, static_cast<int>(numbers[1]), static_cast<int>(numbers[2]),
                     static_cast<int>(numbers[4])});
    return true;
  }

  bool read_location(Fields& fields) {
    const auto number = fields.number<std::uint32_t>();
    Location location;
    location.kind =
        static_cast<LocationKind>(fields.bounded(static_cast<int>(LocationKind::kCount) - 1));
    location.shown = fields.number<std::uint32_t>();
    Chain* chain = &location.frames;
    while (fields.is_good() && !fields.at_end()) {
      const std::string_view field = fields.next();
      if (field == "@") {
        if (location.callers.size() == kMaxCoverContext) return false;
        chain = &location.callers.emplace_back();
      } else if (!read_place(field, *chain)) {
        return false;
      }
    }
    if (!fields.is_good() || location.frames.empty() || number > kMaxLocations) return false;
    if (location.shown >= location.frames.size()) return false;
    return locations_.set(number, line_, data().add_location(std::move(location)));
  }

  Moment moment(Fields& fields) {
    Moment result;
    result.shard = known(fields, shards_);
    result.time_us = fields.number<std::uint64_t>();
    result.calls = fields.number<std::uint64_t>();
    result.run = fields.number<std::uint32_t>();
    return result;
  }

  bool read_seen(Fields& fields) {
    const LocationId location = known(fields, locations_);
    const std::uint32_t seen = fields.bounded(kAllSeen);
    const Moment when = moment(fields);
    if (!fields.is_good()) return false;
    data().see(location, seen, when);
    return true;
  }

  // Metric and locations.
  Pair pair(Fields& fields) {
    Pair result;
    result.metric = static_cast<Metric>(fields.bounded(kMetricCount - 1));
    result.first = known(fields, locations_);
    result.second = known(fields, locations_);
    if (!has_pairs(result.metric)) fields.fail();
    return result;
  }
  // The index of one that is known.
  std::optional<std::uint32_t> known_pair(Fields& fields) {
    const Pair wanted = pair(fields);
    if (!fields.is_good()) return std::nullopt;
    const std::size_t found = data().find_pair(wanted.metric, wanted.first, wanted.second);
    if (found == data().pairs().size()) return std::nullopt;
    return static_cast<std::uint32_t>(found);
  }

  bool read_pair(Fields& fields) {
    Pair result = pair(fields);
    result.state = fields.bounded(kAllPairState);
    result.variable = text(fields);
    if (!fields.at_end()) result.moment = moment(fields);
    if (!fields.is_good()) return false;
    data().add_pair(result);
    return true;
  }

  bool read_count(Fields& fields) {
    const auto index = known_pair(fields);
    const ShardId shard = known(fields, shards_);
    const auto count = fields.number<std::uint64_t>();
    if (!index || !fields.is_good()) return false;
    data().set_count(*index, shard, count);
    return true;
  }

  bool read_proposal(Fields& fields) {
    const auto index = known_pair(fields);
    const TextId reason = text(fields);
    if (!index || !fields.is_good()) return false;
    data().propose(*index, reason);
    return true;
  }

  std::size_t line_ = 0;
  bool has_build_ = false;
  Numbers texts_, shards_, locations_;
};

}  // namespace

Expected<ReadCover> parse_cover(std::string_view text, const std::string& name) {
  const auto complain = [&](std::string_view what) {
    return usage_error(fmt::format("'{}' {}", name, what));
  };
  if (text.empty()) return complain("is empty: measure with snag cover first");
  if (!text.starts_with(kMagic))
    return complain("is not a coverage file: give one that snag cover has written");
  const std::string_view version = text.substr(kMagic.size(), text.find('\n') - kMagic.size());
  if (version != fmt::format("{}", kCoverFileVersion)) {
    return complain(fmt::format(
        "was written by another version of Snag (format {}, this one reads {}): measure again",
        version.substr(0, 20), kCoverFileVersion));
  }
  Reader reader;
  std::size_t number = 1;
  std::size_t at = std::min(text.find('\n'), text.size() - 1) + 1;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    ++number;
    // A line without its end may be truncated.
    const bool is_whole = end != std::string_view::npos;
    const std::string_view line = text.substr(at, (is_whole ? end : text.size()) - at);
    if (!is_whole || !reader.read_line(line, number)) ++reader.result.bad_lines;
    at += line.size() + 1;
  }
  if (!reader.has_build())
    return complain("was cut before anything was measured: remove it and measure again");
  if (reader.result.bad_lines > 0) reader.result.data.is_complete = false;
  return std::move(reader.result);
}

Expected<ReadCover> read_cover(const std::string& path) {
  const auto complain = [&](std::string_view what) {
    return usage_error(fmt::format("cannot read the coverage file '{}': {}", path, what));
  };
  std::error_code unknown;
  if (const auto size = std::filesystem::file_size(path, unknown);
      !unknown && size > kMaxCoverFileBytes)
    return complain("it is bigger than 1 GiB; is it one?");
  auto text = read_file(path, kMaxCoverFileBytes);
  if (!text && access(path.c_str(), F_OK) != 0 && errno == ENOENT) {
    return usage_error(fmt::format(
        "there is no coverage file '{}': measure with snag cover -- program, or name another file",
        path));
  }
  if (!text) return complain(text.error().message);
  return parse_cover(*text, path);
}

}  // namespace snag::coverage
