// Implements tool/gen/build/adapters.h: how arguments of other classes are made.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tool/gen/build/adapters.h"
#include "tool/gen/build/call_writer.h"
#include "tool/gen/model/text_parts.h"

namespace snag::gen {
namespace {

// The best constructor makes different values from few arguments. Pointers vary little, and the
// object may keep them for too long.
int cost(const Callable& constructor) {
  int sum = constructor.parameters.empty() ? 100 : 0;
  for (const Parameter& parameter : constructor.parameters) {
    const bool is_pointer =
        parameter.kind == "text" || parameter.kind == "buffer" || parameter.kind == "pointer";
    sum += is_pointer ? 50 : parameter.kind == "other" ? 40 : parameter.kind == "class" ? 3 : 2;
  }
  return sum;
}

Adapter made_by(const OtherClass& other, const Callable& constructor) {
  std::vector<std::string> values, texts;
  for (std::size_t i = 0; i < constructor.parameters.size(); ++i) {
    const Parameter& parameter = constructor.parameters[i];
    if (parameter.has_default) break;
    values.push_back(fmt::format("s.arg<{}>({})", parameter.type, i));
    texts.push_back(fmt::format("s.text<{}>({})", parameter.type, i));
  }
  std::string text = quoted_literal(other.type + "(");
  for (std::size_t i = 0; i < texts.size(); ++i)
    text += (i == 0 ? " + " : " + \", \" + ") + texts[i];
  Adapter adapter;
  adapter.code = fmt::format(
      "template <>\nstruct snag_gen::Maker<{0}> {{\n"
      "  static {0} make(snag_gen::Source& s) {{\n    (void)s;\n    return {0}({1});\n  }}\n"
      "  static std::string text(snag_gen::Source& s) {{\n    (void)s;\n    return {2} + \")\";\n  "
      "}}\n}};\n",
      other.type, join(values, ", "), text);
  return adapter;
}

std::string pool_type(const GenTarget& options, std::size_t index) {
  // Text in quotes is a std::string, so that it can also be taken by reference.
  const ArgPool& pool = options.pools[index];
  const bool is_parameter = pool.target.find('.') != std::string::npos;
  if (!is_parameter) return pool.target;
  return pool.values[0].starts_with('"') ? "std::string"
                                         : fmt::format("decltype({})", pool.values[0]);
}

}  // namespace

std::vector<Piece> maker_pieces(const ClassModel& model, const GenTarget& options) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < options.pools.size(); ++i) {
    const ArgPool& pool = options.pools[i];
    std::vector<std::string> texts;
    for (const std::string& value : pool.values) texts.push_back(quoted_literal(value));
    Adapter adapter;
    adapter.code = fmt::format(
        "namespace snag_gen_made {{\nstruct Pool{0} {{\n  {1} value;\n}};\n}}\n"
        "template <>\nstruct snag_gen::Maker<snag_gen_made::Pool{0}> {{\n"
        "  static snag_gen_made::Pool{0} make(snag_gen::Source& s) {{\n"
        "    {1} values[] = {{{2}}};\n    return {{values[s.seed() % {3}]}};\n  }}\n"
        "  static std::string text(snag_gen::Source& s) {{\n"
        "    const char* texts[] = {{{4}}};\n    return texts[s.seed() % {3}];\n  }}\n}};\n",
        i, pool_type(options, i), join(pool.values, ", "), pool.values.size(), join(texts, ", "));
    pieces.push_back({PieceKind::kMaker, "the values for " + pool.target, {adapter}, false});
  }
  for (const OtherClass& other : model.classes) {
    Piece piece{PieceKind::kMaker, "making a " + other.type, {}, false};
    if (other.is_abstract) continue;
    std::vector<Callable> constructors = other.constructors;
    std::stable_sort(constructors.begin(), constructors.end(),
                     [](const Callable& a, const Callable& b) { return cost(a) < cost(b); });
    for (const Callable& constructor : constructors) {
      if (other.has_default && cost(constructor) >= 40) break;  // the header does that
      piece.variants.push_back(made_by(other, constructor));
    }
    if (!piece.variants.empty()) pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace snag::gen
