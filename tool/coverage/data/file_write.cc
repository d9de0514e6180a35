// Implements tool/coverage/data/file.h: writing.
#include <fmt/compile.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <iterator>

#include "tool/coverage/data/file.h"

namespace snag::coverage {
namespace {

// Room for eight digits and a blank in front of a record.
constexpr std::string_view kNoChecksum = "00000000 ";

void append_chain_record(std::string& out, const Chain& chain) {
  for (const Place& place : chain) {
    fmt::format_to(std::back_inserter(out), FMT_COMPILE(" {}.{}.{}.{}.{}"), place.file, place.line,
                   place.column, place.function, place.function_line);
  }
}

// A line is a record: characters that would end it, or are invisible, are written as %XX.
void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 32 || byte == 127 || byte == '%') {
      out += fmt::format("%{:02x}", byte);
    } else {
      out += c;
    }
  }
}

void append_moment(std::string& out, const Moment& moment) {
  if (moment.shard == kNoShard) return;
  fmt::format_to(std::back_inserter(out), FMT_COMPILE(" {} {} {} {}"), moment.shard + 1,
                 moment.time_us, moment.calls, moment.run);
}

// A count that keeps growing is written when it has doubled, so that the file does not grow with
// it.
bool is_news(std::uint64_t written, std::uint64_t now, bool is_last) {
  return now > written && (is_last || now >= 2 * written);
}

// The duration always grows, so it is written only after it grew by a twentieth.
bool is_news(const Shard& written, const Shard& now, bool is_last) {
  if (written.counts == now.counts) return false;
  const std::uint64_t before = written.counts[Shard::kDuration];
  return is_last || now.counts[Shard::kDuration] >= before + before / 20 + 1'000'000;
}

}  // namespace

std::uint32_t checksum_of(std::string_view body) {
  return static_cast<std::uint32_t>(XXH3_64bits(body.data(), body.size()));
}

void RecordWriter::end_record(std::size_t begin) {
  const std::string_view body = std::string_view(out_).substr(begin + kNoChecksum.size());
  const std::string digits = fmt::format(FMT_COMPILE("{:08x}"), checksum_of(body));
  out_.replace(begin, digits.size(), digits);
  out_ += '\n';
}

// Appends one record; the arguments are those of fmt::format.
#define SNAG_RECORD(...)                                   \
  do {                                                     \
    const std::size_t record_begin = out_.size();          \
    out_ += kNoChecksum;                                   \
    fmt::format_to(std::back_inserter(out_), __VA_ARGS__); \
    end_record(record_begin);                              \
  } while (false)

std::string RecordWriter::news(const CoverData& data, bool is_last) {
  out_.clear();
  is_last_ = is_last;
  if (!has_head_) write_head(data);
  write_texts(data);
  write_modules(data);
  write_shards(data);
  write_locations(data);
  write_pairs(data);
  return std::move(out_);
}

void RecordWriter::write_head(const CoverData& data) {
  has_head_ = true;
  out_ += fmt::format("snag-cover {}\n", kCoverFileVersion);
  std::size_t begin = out_.size();
  out_ += kNoChecksum;
  out_ += fmt::format("b {:016x} {} ", data.build.hash, data.build.context);
  append_escaped(out_, data.build.program);
  end_record(begin);
  for (const std::string& pattern : data.build.ignored) {
    begin = out_.size();
    out_ += kNoChecksum;
    out_ += "i ";
    append_escaped(out_, pattern);
    end_record(begin);
  }
}

void RecordWriter::write_texts(const CoverData& data) {
  for (; texts_ < data.text_count(); ++texts_) {
    const std::size_t begin = out_.size();
    out_ += kNoChecksum;
    out_ += fmt::format("t {} ", texts_);
    append_escaped(out_, data.text(static_cast<TextId>(texts_)));
    end_record(begin);
  }
}

void RecordWriter::write_modules(const CoverData& data) {
  for (std::size_t i = 0; i < data.modules().size(); ++i) {
    const ModuleFile& module = data.modules()[i];
    if (i < modules_.size() && modules_[i].is_scanned == module.is_scanned) continue;
    SNAG_RECORD("m {:016x} {} {}", module.hash, module.is_scanned ? 1 : 0, module.path);
  }
  modules_ = data.modules();
}

void RecordWriter::write_shards(const CoverData& data) {
  for (std::size_t i = 0; i < data.shards().size(); ++i) {
    const Shard& shard = data.shards()[i];
    if (i < shards_.size() && !is_news(shards_[i], shard, is_last_)) continue;
    if (i == shards_.size()) shards_.emplace_back();
    shards_[i] = shard;
    SNAG_RECORD("w {} {:016x} {} {} {} {}", i + 1, shard.id, shard.begin_ms,
                shard.is_controlled ? 1 : 0, shard.metrics, fmt::join(shard.counts, " "));
  }
}

void RecordWriter::write_locations(const CoverData& data) {
  for (LocationId id = 0; id < data.locations().size(); ++id) {
    const Location& location = data.locations()[id];
    if (id == locations_.size()) {
      const std::size_t begin = out_.size();
      out_ += kNoChecksum;
      fmt::format_to(std::back_inserter(out_), FMT_COMPILE("l {} {} {}"), id + 1,
                     static_cast<int>(location.kind), location.shown);
      append_chain_record(out_, location.frames);
      for (const Chain& caller : location.callers) {
        out_ += " @";
        append_chain_record(out_, caller);
      }
      end_record(begin);
      locations_.emplace_back();
    }
    if (locations_[id].seen != location.seen) write_seen(data, id);
  }
}

void RecordWriter::write_seen(const CoverData& data, LocationId id) {
  const Location& location = data.locations()[id];
  const std::uint32_t news = location.seen & ~locations_[id].seen;
  const auto write = [&](std::uint32_t seen, const Moment& moment) {
    if (seen == 0) return;
    const std::size_t begin = out_.size();
    out_ += kNoChecksum;
    fmt::format_to(std::back_inserter(out_), FMT_COMPILE("s {} {}"), id + 1, seen);
    append_moment(out_, moment);
    end_record(begin);
  };
  for (std::size_t which = 0; which < kMomentCount; ++which)
    write(news & kMomentBits[which], location.moments[which]);
  locations_[id].seen = location.seen;
}

void RecordWriter::write_pairs(const CoverData& data) {
  constexpr std::uint32_t kNeverWritten = UINT32_MAX;
  pairs_.resize(data.pairs().size(), {kNeverWritten, 0});
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Pair& pair = data.pairs()[i];
    const WrittenPair now{pair.state, pair.variable};
    if (pairs_[i] == now) continue;
    pairs_[i] = now;
    const std::size_t begin = out_.size();
    out_ += kNoChecksum;
    fmt::format_to(std::back_inserter(out_), FMT_COMPILE("p {} {} {} {} {}"),
                   static_cast<int>(pair.metric), pair.first + 1, pair.second + 1, pair.state,
                   pair.variable);
    append_moment(out_, pair.moment);
    end_record(begin);
  }
  for (const auto& [key, count] : data.counts()) {
    std::uint64_t& written = counts_[key];
    if (!is_news(written, count, is_last_)) continue;
    written = count;
    const Pair& pair = data.pairs()[key.first];
    SNAG_RECORD("n {} {} {} {} {}", static_cast<int>(pair.metric), pair.first + 1, pair.second + 1,
                key.second + 1, count);
  }
  for (const auto& [index, reason] : data.proposals()) {
    const auto [written, is_new] = proposals_.try_emplace(index, reason);
    if (!is_new && written->second == reason) continue;
    written->second = reason;
    const Pair& pair = data.pairs()[index];
    SNAG_RECORD("r {} {} {} {}", static_cast<int>(pair.metric), pair.first + 1, pair.second + 1,
                reason);
  }
}

std::string end_of_file() { return fmt::format("{:08x} e\n", checksum_of("e")); }

std::string format_cover(const CoverData& data) {
  std::string text = RecordWriter().news(data, true);
  if (data.is_complete) text += end_of_file();
  return text;
}

}  // namespace snag::coverage
