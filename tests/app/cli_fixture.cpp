#include "tests/app/cli_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <random>

#include "core/formats/raster_writer.hpp"

namespace headroom::app {
namespace fs = std::filesystem;

std::vector<std::string> folder_contents(const fs::path& folder) {
  std::vector<std::string> contents;
  if (!fs::exists(folder)) return contents;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    std::string line = fs::relative(entry.path(), folder).string();
    if (entry.is_regular_file()) line += '\n' + read_text(entry.path());
    contents.push_back(std::move(line));
  }
  std::sort(contents.begin(), contents.end());
  return contents;
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream.is_open()) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_text(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void write_discs(const fs::path& folder, int count, int channels) {
  constexpr int size = 64;
  fs::create_directories(folder / "images");
  fs::create_directories(folder / "masks");
  std::mt19937 random(7);
  for (int k = 0; k < count; ++k) {
    base::Image image{.height = size, .width = size, .channels = channels};
    base::LabelImage mask{.height = size, .width = size};
    const int radius = size / 5 + k % 4 * size / 20;
    const int centre_y = size / 3 + k % 3 * size / 6;
    const int centre_x = size / 3 + k % 2 * size / 4;
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        const int dy = y - centre_y, dx = x - centre_x;
        const bool inside = dy * dy + dx * dx <= radius * radius;
        mask.labels.push_back(inside ? 1 : 0);
        for (int channel = 0; channel < channels; ++channel)
          image.pixels.push_back(static_cast<std::byte>((inside ? 150 : 50) + random() % 60));
      }
    }
    const std::string name = std::to_string(100 + k) + ".png";
    formats::write_png(folder / "images" / name, image);
    formats::write_label_png(folder / "masks" / name, mask);
  }
}

void write_flat_mask(const fs::path& file, int height, int width, int value) {
  base::LabelImage mask{.height = height, .width = width};
  mask.labels.assign(static_cast<std::size_t>(height) * static_cast<std::size_t>(width),
                     static_cast<std::uint8_t>(value));
  formats::write_label_png(file, mask);
}

tests::ProcessOptions CliTest::options(std::vector<std::string> arguments) const {
  tests::ProcessOptions options;
  options.arguments = std::move(arguments);
  options.arguments.insert(options.arguments.begin(), HEADROOM_BINARY);
  options.environment["HEADROOM_HOME"] = at("home");
  options.environment["TERM"] = "xterm";
  // No test opens a window by accident.
  options.environment["DISPLAY"] = options.environment["WAYLAND_DISPLAY"] = std::nullopt;
  // Tests run beside each other: threads that wait for one another would take turns with those.
  options.environment["OMP_NUM_THREADS"] = "1";
  options.working_folder = folder();
  return options;
}

tests::ProcessResult CliTest::run(std::vector<std::string> arguments) const {
  return tests::run_process(options(std::move(arguments)));
}

nlohmann::json CliTest::run_json(std::vector<std::string> arguments) const {
  arguments.emplace_back("--json");
  const tests::ProcessResult result = run(std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(nlohmann::json::accept(result.output)) << result.output;
  return nlohmann::json::parse(result.output, nullptr, false);
}

std::vector<std::string> CliTest::small_training(const std::string& data, const std::string& out,
                                                 std::initializer_list<std::string> more) const {
  std::vector<std::string> arguments = {
      "train",  data, "--out",   out,    "--levels",    "2",    "--base-channels", "4",
      "--tile", "64", "--batch", "2",    "--precision", "fp32", "--threads",       "1",
      "--seed", "7",  "--split", "0.25", "--steps",     "6"};
  arguments.insert(arguments.end(), more);
  return arguments;
}

void expect_refusal(const tests::ProcessResult& result, int exit_code,
                    std::initializer_list<std::string> mentioned) {
  EXPECT_EQ(result.exit_code, exit_code) << result.errors;
  EXPECT_EQ(result.output, "");
  const auto is_message = [](const std::string& line) { return line.starts_with("headroom: "); };
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < result.errors.size();) {
    const std::size_t end = std::min(result.errors.find('\n', begin), result.errors.size());
    lines.push_back(result.errors.substr(begin, end - begin));
    begin = end + 1;
  }
  ASSERT_EQ(std::count_if(lines.begin(), lines.end(), is_message), 1) << result.errors;
  const std::string message = *std::find_if(lines.begin(), lines.end(), is_message);
  for (const std::string& text : mentioned) EXPECT_THAT(message, testing::HasSubstr(text));
}

}  // namespace headroom::app
