#include "tool/gen/reader/input.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Driver/Options.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Sema/SemaConsumer.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <set>

namespace snag::gen::reader {
namespace {

using clang::DiagnosticsEngine;

// Prints errors as clang does, and notes which lines of the main file they come from: an error in
// a header is followed by notes that lead back to the line that asked for the instantiation.
class Collector : public clang::DiagnosticConsumer {
 public:
  explicit Collector(Outcome& outcome)
      : outcome_(outcome), stream_(outcome.printed), options_(new clang::DiagnosticOptions) {
    options_->ShowColors = false;
    printer_ = std::make_unique<clang::TextDiagnosticPrinter>(stream_, options_.get());
  }

  void BeginSourceFile(const clang::LangOptions& language, const clang::Preprocessor* pp) override {
    printer_->BeginSourceFile(language, pp);
  }
  void EndSourceFile() override { printer_->EndSourceFile(); }

  void HandleDiagnostic(DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    const bool is_error = level >= DiagnosticsEngine::Error;
    if (level == DiagnosticsEngine::Warning || level == DiagnosticsEngine::Remark) {
      follows_error_ = false;
      return;
    }
    if (is_error) follows_error_ = true;
    if (!follows_error_) return;
    printer_->HandleDiagnostic(level, info);
    llvm::SmallString<256> message;
    info.FormatDiagnostic(message);
    unsigned line = 0;
    std::string place;
    const bool in_main = locate(info, line, place);
    if (is_error) {
      outcome_.errors.push_back({std::string(message), in_main, in_main ? line : 0, place, ""});
    } else if (!outcome_.errors.empty()) {
      Diagnostic& error = outcome_.errors.back();
      error.notes += std::string(message) + "\n";
      if (error.line == 0 && in_main) error.line = line;
    }
  }

 private:
  static bool locate(const clang::Diagnostic& info, unsigned& line, std::string& place) {
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return false;
    const clang::SourceManager& sources = info.getSourceManager();
    const clang::SourceLocation location = sources.getExpansionLoc(info.getLocation());
    line = sources.getExpansionLineNumber(location);
    place = sources.getFilename(location).str() + ":" + std::to_string(line);
    return sources.isWrittenInMainFile(location);
  }

  Outcome& outcome_;
  llvm::raw_string_ostream stream_;
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options_;
  std::unique_ptr<clang::TextDiagnosticPrinter> printer_;
  bool follows_error_ = false;
};

class Consumer : public clang::SemaConsumer {
 public:
  Consumer(const Visitor& visitor, const Outcome& outcome) : visitor_(visitor), outcome_(outcome) {}
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void HandleTranslationUnit(clang::ASTContext&) override {
    if (visitor_) visitor_(*sema_, outcome_);
  }

 private:
  const Visitor& visitor_;
  const Outcome& outcome_;
  clang::Sema* sema_ = nullptr;
};

class Action : public clang::ASTFrontendAction {
 public:
  Action(const Visitor& visitor, const Outcome& outcome) : visitor_(visitor), outcome_(outcome) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&,
                                                        llvm::StringRef) override {
    return std::make_unique<Consumer>(visitor_, outcome_);
  }

 private:
  const Visitor& visitor_;
  const Outcome& outcome_;
};

bool is_unwanted(const llvm::opt::Option& option) {
  using namespace clang::driver::options;
  if (option.matches(OPT_INPUT) || option.matches(OPT_UNKNOWN)) return true;
  if (option.hasFlag(clang::driver::options::LinkerInput)) return true;
  for (unsigned group : {OPT_M_Group, OPT_W_Group, OPT_pedantic_Group, OPT_Link_Group}) {
    if (option.matches(group)) return true;
  }
  for (unsigned single : {OPT_o, OPT_c, OPT_S, OPT_E, OPT_x, OPT_fsyntax_only, OPT_v,
                          OPT__HASH_HASH_HASH, OPT_fsanitize_EQ, OPT_save_temps, OPT_save_temps_EQ,
                          OPT_coverage, OPT_resource_dir, OPT_resource_dir_EQ}) {
    if (option.matches(single)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> flags_for_clang(const std::vector<std::string>& flags) {
  std::vector<const char*> words;
  for (const std::string& flag : flags) words.push_back(flag.c_str());
  unsigned missing_index = 0, missing_count = 0;
  const llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      words, missing_index, missing_count,
      llvm::opt::Visibility(clang::driver::options::ClangOption));
  std::vector<std::string> kept;
  for (const llvm::opt::Arg* arg : parsed) {
    if (is_unwanted(arg->getOption())) continue;
    llvm::opt::ArgStringList rendered;
    arg->render(parsed, rendered);
    for (const char* word : rendered) kept.emplace_back(word);
  }
  return kept;
}

Outcome read_text(const std::string& path, const std::string& text, const Input& input,
                  const Visitor& visitor) {
  Outcome outcome;
  Collector collector(outcome);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto overlay =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  overlay->pushOverlay(memory);
  auto files = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);
  memory->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(text, path));
  // The compiler's name only says where to look for the C++ library. As C++, whatever the name of
  // the file; without warnings, since nobody asked for them.
  std::vector<std::string> command = {"/usr/bin/clang++",
                                      "-fsyntax-only",
                                      "-xc++",
                                      "-w",
                                      "-ferror-limit=0",
                                      "-fno-caret-diagnostics",
                                      "-ftemplate-backtrace-limit=0"};
  for (std::string& flag : flags_for_clang(input.flags)) command.push_back(std::move(flag));
  if (!input.resource_dir.empty()) command.push_back("-resource-dir=" + input.resource_dir);
  command.push_back(path);
  clang::tooling::ToolInvocation invocation(command, std::make_unique<Action>(visitor, outcome),
                                            files.get());
  invocation.setDiagnosticConsumer(&collector);
  if (!invocation.run() && outcome.errors.empty())
    outcome.errors.push_back({"clang could not be started with these flags", false, 0, "", ""});
  return outcome;
}

}  // namespace snag::gen::reader
