#include "tool/cli/options/trace_file.h"

#include <filesystem>

namespace snag::cli {
namespace {

namespace fs = std::filesystem;

void find_beside(std::string& file, const fs::path& trace) {
  std::error_code error;
  if (file.empty() || fs::path(file).is_absolute() || fs::exists(file, error)) return;
  const fs::path beside = trace.parent_path() / file;
  if (fs::exists(beside, error)) file = beside.string();
}

}  // namespace

Expected<trace::Trace> read_runnable_trace(const std::string& path) {
  auto trace = trace::read_trace(path);
  if (!trace) return trace;
  find_beside(trace->program.path, path);
  find_beside(trace->program.stdin_path, path);
  return trace;
}

}  // namespace snag::cli
