// Compares a text with an approved one under tests/baselines. After a change that is meant,
// scripts/approve writes them anew; the diff is then part of the review.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace snag {

// `name`: the file below tests/baselines.
inline void expect_approved(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(__FILE__).parent_path() / name;
  if (std::getenv("SNAG_APPROVE") != nullptr) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << "no baseline " << path << ": run scripts/approve";
  std::stringstream approved;
  approved << file.rdbuf();
  EXPECT_EQ(approved.str(), text) << "if this is as it should be: scripts/approve";
}

}  // namespace snag
