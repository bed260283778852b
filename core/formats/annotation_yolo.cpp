#include "core/formats/annotation_yolo.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/text_number.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

using base::Severity;

constexpr std::string_view kBlanks = " \t\r";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return words;
    line.remove_prefix(first);
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
}

/// A class id and the numbers behind it.
struct YoloLine {
  std::int64_t class_id = 0;
  std::vector<double> numbers{};
};

std::optional<YoloLine> parse_line(const std::vector<std::string_view>& words) {
  YoloLine line;
  const auto id = words.empty() ? std::nullopt : base::parse_integer(words.front());
  if (!id || *id < 0 || words.size() < 2) return std::nullopt;
  line.class_id = *id;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto number = base::parse_real(words[i]);
    if (!number) return std::nullopt;
    line.numbers.push_back(*number);
  }
  return line;
}

std::string image_of(const fs::path& file) {
  std::vector<fs::path> parts(file.begin(), file.end());
  const auto labels = std::find(parts.rbegin(), parts.rend(), fs::path("labels"));
  if (labels != parts.rend()) *labels = "images";
  fs::path image;
  for (const fs::path& part : parts) image /= part;
  return image.replace_extension().generic_string();
}

class YoloParser {
 public:
  YoloParser(const fs::path& file, const std::vector<std::string>& names) : names_(names) {
    image_.document = file;
    image_.name = image_of(file);
    image_.is_relative = true;
  }

  AnnotationDocument run(const std::string& text) {
    std::int64_t number = 0;
    for (const std::string_view line : lines_of(text)) {
      ++number;
      const auto words = words_of(line);
      if (!words.empty()) read_line(words, fmt::format("line {}", number));
    }
    AnnotationDocument document{.file = image_.document, .names = names_};
    document.images.push_back(std::move(image_));
    return document;
  }

 private:
  void read_line(const std::vector<std::string_view>& words, const std::string& entry) {
    constexpr const char* kBroken = "annotation-broken";
    constexpr const char* kForm = "write the class id, then x y of three corners or more";
    constexpr std::size_t kNumbersOfABox = 4;
    const std::optional<YoloLine> line = parse_line(words);
    if (!line) {
      image_.problems.add(Severity::error, kBroken, entry, "is no class id with numbers", kForm);
    } else if (line->numbers.size() == kNumbersOfABox) {
      image_.problems.add(Severity::error, "annotation-without-outline", entry,
                          "is a box (or has two corners)",
                          "give outlines; a box alone cannot train segmentation");
    } else if (line->numbers.size() % 2 != 0) {
      image_.problems.add(Severity::error, kBroken, entry,
                          fmt::format("has {} numbers, which are no pairs", line->numbers.size()),
                          kForm);
    } else if (!names_.empty() && line->class_id >= static_cast<std::int64_t>(names_.size())) {
      image_.problems.add(
          Severity::error, kBroken, entry,
          fmt::format("has the class {}, and {} classes are named", line->class_id, names_.size()),
          "name it in data.yaml or classes.txt, or correct the id");
    } else if (!std::ranges::all_of(line->numbers, is_share)) {
      image_.problems.add(Severity::error, kBroken, entry, "has positions outside of 0 to 1",
                          "divide columns by the image's width, rows by its height");
    } else {
      add_outline(*line, entry);
    }
  }

  /// Rounding may lead a little over the edge.
  static bool is_share(double position) { return position >= -0.01 && position <= 1.01; }

  void add_outline(const YoloLine& line, const std::string& entry) {
    Annotation annotation{.name = names_.empty() ? fmt::format("class_{}", line.class_id)
                                                 : names_[static_cast<std::size_t>(line.class_id)],
                          .entry = entry};
    Ring ring;
    for (std::size_t i = 0; i + 1 < line.numbers.size(); i += 2)
      ring.push_back({line.numbers[i], line.numbers[i + 1]});
    add_polygon({std::move(ring)}, annotation, image_);
    if (!annotation.polygons.empty()) image_.annotations.push_back(std::move(annotation));
  }

  const std::vector<std::string>& names_;
  AnnotatedImage image_;
};

[[noreturn]] void fail_names(const fs::path& file, const std::string& problem,
                             const std::string& detail = {}) {
  throw base::Error(
      base::ErrorKind::unusable_data,
      {"reading the class names", fmt::format("{}: {}", base::display_path(file), problem),
       "write names: [first, second, …] or names: {0: first, 1: second}", detail});
}

std::vector<std::string> names_in(const YAML::Node& entry, const fs::path& file) {
  if (entry.IsSequence()) return entry.as<std::vector<std::string>>();
  if (!entry.IsMap()) fail_names(file, "\"names\" is no list");
  std::vector<std::string> names;
  for (const auto& [id, name] : entry.as<std::map<std::int64_t, std::string>>()) {
    if (id != static_cast<std::int64_t>(names.size()))
      fail_names(file, fmt::format("\"names\" has no class {}", names.size()));
    names.push_back(name);
  }
  return names;
}

std::optional<YoloNames> names_of_yaml(const fs::path& root, const fs::path& file) {
  try {
    const YAML::Node document = YAML::Load(base::read_file(root / file));
    if (!document.IsMap() || !document["names"]) return std::nullopt;
    return YoloNames{file, names_in(document["names"], file)};
  } catch (const YAML::Exception& problem) {
    fail_names(file, "it is no valid YAML, or its \"names\" are no names", problem.what());
  }
}

}  // namespace

std::optional<YoloNames> read_yolo_names(const fs::path& root, const fs::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".yaml" || extension == ".yml") return names_of_yaml(root, file);
  if (file.filename() != "classes.txt") return std::nullopt;
  YoloNames found{.file = file};
  const std::string text = base::read_file(root / file);
  for (std::string_view line : lines_of(text)) {
    line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
    if (!line.empty()) found.names.emplace_back(line);
  }
  return found;
}

bool is_yolo(const std::string& text) {
  for (const std::string_view line : lines_of(text)) {
    const auto words = words_of(line);
    if (words.empty()) continue;
    const auto parsed = parse_line(words);
    return parsed && parsed->numbers.size() % 2 == 0;
  }
  return false;
}

AnnotationDocument parse_yolo(const std::string& text, const fs::path& file,
                              const std::vector<std::string>& names) {
  return YoloParser(file, names).run(text);
}

}  // namespace headroom::formats
