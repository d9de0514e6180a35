#include "tool/gen/build/driver_source.h"

#include <fmt/format.h>
#include <snag/gen_flags.h>

#include <algorithm>

#include "tool/gen/model/text_parts.h"

namespace snag::gen {
namespace {

// For template parameters that must be callable.
constexpr const char* kAnyFunction = R"(namespace snag_gen_made {
struct AnyFunction {
  int result = 0;
  template <class... A>
  int operator()(A&&...) const {
    return result;
  }
};
}  // namespace snag_gen_made
template <>
struct snag_gen::Maker<snag_gen_made::AnyFunction> {
  static snag_gen_made::AnyFunction make(snag_gen::Source& s) { return {static_cast<int>(s.seed() % 2)}; }
  static std::string text(snag_gen::Source& s) {
    return s.seed() % 2 == 0 ? "[](auto&&...) { return 0; }" : "[](auto&&...) { return 1; }";
  }
};
)";

class Writer {
 public:
  void add(std::string_view text) {
    source_.text += text;
    line_ += static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
  }
  void begin(const Choice& choice) { source_.lines.emplace_back(line_, choice); }
  // Lines from here on belong to nothing.
  void end() { source_.lines.emplace_back(line_, Choice{kNothing, 0}); }
  DriverSource take() { return std::move(source_); }

  static constexpr std::size_t kNothing = static_cast<std::size_t>(-1);

 private:
  DriverSource source_;
  unsigned line_ = 1;
};

std::string flags_text(unsigned flags) {
  std::string text;
  const auto add = [&](unsigned flag, const char* name) {
    if ((flags & flag) != 0)
      text += (text.empty() ? "snag_gen::" : " | snag_gen::") + std::string(name);
  };
  add(snag_gen::kConst, "kConst");
  add(snag_gen::kStatic, "kStatic");
  add(snag_gen::kObserver, "kObserver");
  return text.empty() ? "0" : text;
}

void add_rows(Writer& writer, PieceKind kind, const std::vector<Piece>& pieces,
              const std::vector<Choice>& choices) {
  for (const Choice& choice : choices) {
    if (pieces[choice.piece].kind != kind) continue;
    const Adapter& adapter = pieces[choice.piece].variants[choice.variant];
    writer.begin(choice);
    const std::string flags =
        kind == PieceKind::kMethod ? " " + flags_text(adapter.flags) + "," : "";
    const std::string function =
        adapter.function.empty() ? "" : ",\n     " + quoted_literal(adapter.function);
    writer.add(fmt::format("    {{{}, {}, {},{}\n     [](Call& c) {{\n{}\n     }}{}}},\n",
                           quoted_literal(adapter.name), quoted_literal(adapter.text),
                           adapter.arguments, flags, indented(adapter.code, 7), function));
  }
  writer.end();
}

}  // namespace

const Choice* DriverSource::choice_at(unsigned line) const {
  const auto behind =
      std::upper_bound(lines.begin(), lines.end(), line,
                       [](unsigned l, const auto& entry) { return l < entry.first; });
  if (behind == lines.begin()) return nullptr;
  const Choice& choice = std::prev(behind)->second;
  return choice.piece == Writer::kNothing ? nullptr : &choice;
}

std::string include_line(const std::string& header) {
  const bool has_quotes = header.starts_with('<') || header.starts_with('"');
  return "#include " + (has_quotes ? header : '"' + header + '"') + "\n";
}

DriverSource write_driver(const ClassModel& model, const std::vector<std::string>& headers,
                          const std::vector<Piece>& pieces, const std::vector<Choice>& choices) {
  Writer writer;
  writer.add(fmt::format("// Calls {}. Written by snag gen.\n", model.class_name));
  for (const std::string& header : headers) writer.add(include_line(header));
  writer.add("#include <snag/gen_driver.h>\n\n");
  writer.add(
      "#include <memory>\n#include <stdexcept>\n#include <string>\n#include <utility>\n#include "
      "<vector>\n\n");
  writer.add(fmt::format("SNAG_GEN_CLASS({})\n\n", model.class_name));
  writer.add(kAnyFunction);
  for (const Choice& choice : choices) {
    if (pieces[choice.piece].kind != PieceKind::kMaker) continue;
    writer.begin(choice);
    writer.add(pieces[choice.piece].variants[choice.variant].code);
  }
  writer.end();
  writer.add(
      fmt::format("\nnamespace {{\n\nusing T = {};\nusing snag_gen::Call;\n\n", model.class_name));
  writer.add("constexpr snag_gen::Constructor constructors[] = {\n");
  add_rows(writer, PieceKind::kConstructor, pieces, choices);
  writer.add("};\n\nconstexpr snag_gen::Method methods[] = {\n");
  add_rows(writer, PieceKind::kMethod, pieces, choices);
  writer.add("};\n\n}  // namespace\n\nSNAG_GEN_DRIVER(T, constructors, methods)\n");
  return writer.take();
}

}  // namespace snag::gen
