#include "tool/report/formats/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace snag::report {
namespace {

constexpr std::size_t kMaxColumns = 4;
// Narrower columns cannot hold a place and an operation.
constexpr std::size_t kMinColumn = 22;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kMark = 3;  // in front of every cell: a mark and a blank
constexpr std::size_t kMaxPlace = 28;
// With the rest of the report this fills a screen. Rows that do not fit are shown without their
// source.
constexpr int kMaxLines = 36;
// How many threads without a part in it are named.
constexpr std::size_t kNamedOthers = 6;

// A piece of a line: text and its colour.
struct Piece {
  Colour colour = Colour::kNone;
  std::string text;
};
using Line = std::vector<Piece>;

std::size_t width_of(const Line& line) {
  std::size_t width = 0;
  for (const Piece& piece : line) width += display_width(piece.text);
  return width;
}

// "...very_long_name.cc:41": the end tells more than the begin.
std::string shortened_place(const std::string& place, std::size_t width) {
  if (display_width(place) <= width || width <= 3) return shortened(place, width);
  std::size_t begin = place.size() - (width - 3);
  while (begin < place.size() && (static_cast<unsigned char>(place[begin]) & 0xc0) == 0x80) ++begin;
  return "..." + place.substr(begin);
}

// The line without a comment at its end; empty if it is meaningless ("}").
std::string code_of(const std::string& source) {
  const std::size_t comment = source.find(" //");
  const std::string code = source.substr(0, comment);
  const std::size_t end = code.find_last_not_of(' ');
  const bool says_something =
      std::any_of(code.begin(), code.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
  return says_something ? code.substr(0, end + 1) : "";
}

class Table {
 public:
  Table(const Interleaving& interleaving, const Painter& painter, bool with_source)
      : interleaving_(interleaving), painter_(painter), with_source_(with_source) {
    const std::size_t count = interleaving.threads.size();
    const std::size_t width = static_cast<std::size_t>(std::max(painter.width(), 40)) - kIndent;
    if (count >= 2 && count <= kMaxColumns) column_ = (width - 3 * (count - 1)) / count;
    as_list_ = column_ < kMinColumn;
    if (!as_list_) {
      if (count > 2) file_ = only_file();
      return;
    }
    for (const InterleavingThread& thread : interleaving.threads)
      label_ = std::max(label_, display_width(thread_label(thread.thread, thread.name)));
    label_ = std::min<std::size_t>(label_, 16);
    column_ = width - label_ - 1;
  }

  std::string text() {
    if (!as_list_) header();
    for (const Event& event : interleaving_.events) add(event);
    others();
    return std::move(text_);
  }

 private:
  // The file of all rows; empty if there are several, or none is known.
  std::string only_file() const {
    std::string file;
    for (const Event& event : interleaving_.events) {
      if (event.kind == Event::Kind::kFolded || event.kind == Event::Kind::kFailure) continue;
      if (event.place.file.empty() || (!file.empty() && event.place.file != file)) return "";
      file = event.place.file;
    }
    return file;
  }

  std::string place_text(const Event& event, std::size_t width) const {
    if (!file_.empty()) return fmt::format(":{}", event.place.line);
    return shortened_place(event.place.place(), std::min(width, kMaxPlace));
  }

  std::string bar() const { return painter_.unicode() ? "│" : "|"; }

  // The columns of the threads; the list has only one.
  int column_of(Tid thread) const {
    for (std::size_t i = 0; i < interleaving_.threads.size(); ++i) {
      if (interleaving_.threads[i].thread == thread) return static_cast<int>(i);
    }
    return -1;
  }

  void header() {
    if (!file_.empty()) text_ += fmt::format("  the lines are those of {}\n\n", file_);
    std::vector<Line> cells;
    for (const InterleavingThread& thread : interleaving_.threads) {
      cells.push_back({{Colour::kNone, std::string(kMark, ' ')},
                       {thread_colour(thread.thread), thread_label(thread.thread, thread.name)}});
    }
    line(cells);
    rule();
  }

  void rule() {
    const std::string dash = painter_.unicode() ? "─" : "-";
    const std::string cross = painter_.unicode() ? "─┼─" : "-+-";
    std::string drawn;
    for (std::size_t i = 0; i < interleaving_.threads.size(); ++i) {
      if (i > 0) drawn += cross;
      for (std::size_t j = 0; j < column_; ++j) drawn += dash;
    }
    text_ += std::string(kIndent, ' ') + painter_.paint(Colour::kDim, drawn) + "\n";
  }

  void add(const Event& event) {
    if (event.kind == Event::Kind::kFailure) return failure(event);
    if (event.kind == Event::Kind::kFolded && event.is_minor) return;
    const int column = column_of(event.thread);
    if (column < 0) return across(event);
    for (const Line& cell_line : cell(event)) put(static_cast<std::size_t>(column), cell_line);
    first_line_ = true;
  }

  std::string mark(const Event& event) const {
    if (event.is_accused || event.kind == Event::Kind::kWaits) return "!! ";
    if (event.is_switch) return painter_.unicode() ? "─▶ " : "-> ";
    return std::string(kMark, ' ');
  }

  std::vector<Line> cell(const Event& event) {
    const std::size_t width = column_ - kMark;
    const std::string text = event_text(event);
    if (event.kind == Event::Kind::kFolded) {
      return {{{Colour::kNone, std::string(kMark, ' ')}, {Colour::kDim, shortened(text, width)}}};
    }
    const bool bad = event.is_accused || event.kind == Event::Kind::kWaits;
    const Piece marked{bad ? Colour::kRed : Colour::kBold, mark(event)};
    const Piece blank{Colour::kNone, std::string(kMark, ' ')};
    const Colour colour = thread_colour(event.thread);
    const std::string place = place_text(event, width);
    std::vector<Line> lines;
    const std::string gap(file_.empty() ? 2 : 1, ' ');
    if (display_width(place + gap + text) <= width) {
      lines.push_back({marked, {Colour::kDim, place + gap}, {colour, text}});
    } else {
      lines.push_back({marked, {Colour::kDim, place}});
      for (const std::string& part : wrapped(text, width)) lines.push_back({blank, {colour, part}});
    }
    add_source(event, width, lines);
    return lines;
  }

  // The source line, once for each thread; in the list after the operation if there is room.
  void add_source(const Event& event, std::size_t width, std::vector<Line>& lines) {
    if (!with_source_) return;
    const std::string source = code_of(event.place.source);
    const std::string key = fmt::format("{} {}", event.thread, event.place.place());
    if (source.empty() || !shown_sources_.insert(key).second) return;
    const std::size_t used = width_of(lines.back()) - kMark;
    if (as_list_ && used + 3 + display_width(source) <= width) {
      lines.back().push_back({Colour::kDim, "   " + source});
    } else {
      lines.push_back({{Colour::kNone, std::string(kMark + 2, ' ')},
                       {Colour::kDim, shortened(source, width - 2)}});
    }
  }

  // At most three lines, broken at blanks.
  static std::vector<std::string> wrapped(std::string rest, std::size_t width) {
    std::vector<std::string> lines;
    while (display_width(rest) > width && lines.size() < 2) {
      const std::size_t cut = rest.rfind(' ', width);
      if (cut == std::string::npos || cut <= 2) break;
      lines.push_back(rest.substr(0, cut));
      rest = " " + rest.substr(cut);  // indented by two
    }
    lines.push_back(shortened(rest, width));
    return lines;
  }

  void put(std::size_t column, const Line& cell_line) {
    if (as_list_) {
      const InterleavingThread& thread = interleaving_.threads[column];
      const std::string label = first_line_ ? thread_label(thread.thread, thread.name) : "";
      Line whole{{thread_colour(thread.thread), padded(label, label_) + " "}};
      whole.insert(whole.end(), cell_line.begin(), cell_line.end());
      line({whole});
      first_line_ = false;
      return;
    }
    std::vector<Line> cells(interleaving_.threads.size());
    cells[column] = cell_line;
    line(cells);
  }

  // Text that belongs to no column.
  void across(const Event& event) {
    std::string text = event_text(event);
    if (event.kind == Event::Kind::kFolded)
      text += event.thread == kNoTid ? " of several threads" : fmt::format(" of T{}", event.thread);
    text_ += std::string(kIndent + kMark, ' ') + painter_.paint(Colour::kDim, text) + "\n";
  }

  void failure(const Event& event) {
    if (!as_list_) rule();
    std::string who;
    if (event.thread != kNoTid) who = fmt::format("T{}  ", event.thread);
    if (event.thread == 0) who = "T0 (main)  ";
    const bool has_place = !event.place.file.empty() || !event.place.function.empty();
    if (has_place) who += event.place.place() + "  ";
    text_ +=
        std::string(kIndent, ' ') + painter_.paint(Colour::kRed, "!! " + who + event.note) + "\n";
  }

  void line(const std::vector<Line>& cells) {
    std::string drawn(kIndent, ' ');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) drawn += " " + painter_.paint(Colour::kDim, bar()) + " ";
      for (const Piece& piece : cells[i]) drawn += painter_.paint(piece.colour, piece.text);
      const std::size_t used = width_of(cells[i]);
      if (used < column_ && i + 1 < cells.size()) drawn.append(column_ - used, ' ');
    }
    drawn.erase(drawn.find_last_not_of(' ') + 1);
    text_ += drawn + "\n";
  }

  void others() {
    Tid failed = kNoTid;
    for (const Event& event : interleaving_.events) {
      if (event.kind == Event::Kind::kFailure) failed = event.thread;
    }
    std::vector<std::string> names;
    for (const InterleavingThread& thread : interleaving_.others) {
      if (thread.thread != failed) names.push_back(thread_label(thread.thread, thread.name));
    }
    if (names.empty()) return;
    std::string text = "without a part in it: ";
    const std::size_t named = names.size() > kNamedOthers + 1 ? kNamedOthers : names.size();
    for (std::size_t i = 0; i < named; ++i) text += (i > 0 ? ", " : "") + names[i];
    if (named < names.size()) text += fmt::format(" and {} more threads", names.size() - named);
    text_ += std::string(kIndent, ' ') + painter_.paint(Colour::kDim, text) + "\n";
  }

  const Interleaving& interleaving_;
  const Painter& painter_;
  bool with_source_;
  std::string file_;  // if there is only one, and no room to name it in every cell
  std::size_t column_ = 0;
  std::size_t label_ = 0;  // of the list: width of the names
  bool as_list_ = false;
  bool first_line_ = true;  // of the list: of the event
  std::set<std::string> shown_sources_;
  std::string text_;
};

}  // namespace

Colour thread_colour(Tid thread) {
  static constexpr Colour kColours[] = {Colour::kBlue, Colour::kCyan, Colour::kYellow,
                                        Colour::kGreen, Colour::kMagenta};
  return kColours[thread % std::size(kColours)];
}

std::string table_text(const Interleaving& interleaving, const Painter& painter) {
  if (interleaving.events.empty()) return "";
  std::string text = Table(interleaving, painter, true).text();
  const bool fits = std::count(text.begin(), text.end(), '\n') <= kMaxLines;
  return fits ? text : Table(interleaving, painter, false).text();
}

}  // namespace snag::report
