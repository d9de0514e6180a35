#include "tool/report/formats/format.h"

namespace snag::report {

const Format* find_format(std::string_view name) {
  for (const Format& format : kFormats) {
    if (name == format.name) return &format;
  }
  return nullptr;
}

}  // namespace snag::report
