#pragma once
// What the black-box tests share: a folder of their own, the program, and small data sets in it.

#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/child_process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::app {

/// Everything below a folder with its contents, to tell whether anything changed.
[[nodiscard]] std::vector<std::string> folder_contents(const std::filesystem::path& folder);
[[nodiscard]] std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

/// One disc (class 1) on noise per picture: images/NNN.png, 64x64, and masks/NNN.png (values 0
/// and 1).
void write_discs(const std::filesystem::path& folder, int count, int channels = 3);
/// A mask of one value.
void write_flat_mask(const std::filesystem::path& file, int height, int width, int value);

class CliTest : public testing::Test {
 protected:
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }
  /// folder()/name as an argument.
  [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }

  /// Options that run the program with these arguments, at home in folder().
  [[nodiscard]] tests::ProcessOptions options(std::vector<std::string> arguments) const;
  [[nodiscard]] tests::ProcessResult run(std::vector<std::string> arguments) const;
  /// The same with `--json`; expects success and one document on standard output.
  nlohmann::json run_json(std::vector<std::string> arguments) const;

  /// "train DATA --out OUT" with the settings of a run of seconds, then `more`.
  [[nodiscard]] std::vector<std::string> small_training(
      const std::string& data, const std::string& out,
      std::initializer_list<std::string> more = {}) const;

 private:
  tests::TemporaryFolder folder_;
};

/// The program refused: this code, one line of message on standard error with all of these in it,
/// nothing on standard output.
void expect_refusal(const tests::ProcessResult& result, int exit_code,
                    std::initializer_list<std::string> mentioned);

}  // namespace headroom::app
