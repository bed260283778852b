#include "core/formats/generate.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/class_mapping.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/data/counter_random.hpp"
#include "core/data/parallel_for.hpp"
#include "core/formats/raster_writer.hpp"
#include "core/formats/scenes.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSmallest = 64, kLargest = 16384, kMostPictures = 100000;

[[noreturn]] void refuse(std::string subject, std::string remedy) {
  throw base::Error(base::ErrorKind::usage,
                    {"generating a data set", std::move(subject), std::move(remedy)});
}

void check(const GenerateOptions& options) {
  if (options.size < kSmallest || options.size > kLargest) {
    refuse(fmt::format("the size is {}", options.size),
           fmt::format("give a size of {} to {} pixels", kSmallest, kLargest));
  }
  if (options.count < 1 || options.count > kMostPictures) {
    refuse(fmt::format("the count is {}", options.count),
           fmt::format("give 1 to {} pictures", kMostPictures));
  }
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw base::io_error("making the folder", folder, failure.value());
}

void make_empty_folder(const fs::path& folder) {
  std::error_code failure;
  const fs::file_status status = fs::status(folder, failure);
  if (fs::exists(status) && !fs::is_directory(status)) {
    refuse(fmt::format("'{}' is no folder", base::display_path(folder)), "name a new folder");
  }
  if (fs::is_directory(status) && !fs::is_empty(folder, failure)) {
    refuse(fmt::format("'{}' is not empty", base::display_path(folder)),
           "name a new or empty folder");
  }
  make_folder(folder);
}

base::ClassMapping mapping_of(SampleKind kind) {
  base::ClassMapping mapping;
  mapping.class_names = class_names_of(kind);
  for (std::size_t id = 0; id < mapping.class_names.size(); ++id) {
    mapping.ids[{false, static_cast<std::int64_t>(id)}] = static_cast<std::uint8_t>(id);
  }
  mapping.ids[{false, base::kIgnoreLabel}] = base::kIgnoreLabel;
  return mapping;
}

}  // namespace

const char* name_of(SampleKind kind) {
  switch (kind) {
    case SampleKind::aerial:
      return "aerial";
    case SampleKind::retina:
      return "retina";
    case SampleKind::cells:
      break;
  }
  return "cells";
}

std::vector<std::string> class_names_of(SampleKind kind) {
  switch (kind) {
    case SampleKind::aerial:
      return {"land", "vegetation", "water", "road", "building"};
    case SampleKind::retina:
      return {"background", "vessel", "disc", "lesion"};
    case SampleKind::cells:
      break;
  }
  return {"background", "nucleus"};
}

GeneratedSample generate_sample(const GenerateOptions& options, std::int64_t index) {
  data::CounterRandom random(options.seed, static_cast<std::int64_t>(options.kind), index);
  switch (options.kind) {
    case SampleKind::aerial:
      return draw_aerial(options.size, random);
    case SampleKind::retina:
      return draw_retina(options.size, random);
    case SampleKind::cells:
      break;
  }
  return draw_cells(options.size, random);
}

void generate_sample_set(const GenerateOptions& options, const std::filesystem::path& folder,
                         std::stop_token stop) {
  check(options);
  make_empty_folder(folder);
  make_folder(folder / "images");
  make_folder(folder / "masks");
  data::parallel_for(options.count, {.threads = options.threads, .stop = stop},
                     [&](std::int64_t index) {
                       const GeneratedSample sample = generate_sample(options, index);
                       const std::string name = fmt::format("{:03}.png", index);
                       write_png(folder / "images" / name, sample.image);
                       write_label_png(folder / "masks" / name, sample.labels);
                     });
  base::write_file_atomically(folder / "classes.json", base::to_json(mapping_of(options.kind)));
}

}  // namespace headroom::formats
