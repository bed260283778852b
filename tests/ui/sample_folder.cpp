#include "tests/ui/sample_folder.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/base/image.hpp"

namespace headroom::tests {
namespace {

using base::Severity;

constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

base::MaskKey grey(std::int64_t value) { return {.is_colour = false, .value = value}; }

void add_retina_values(ui::DataFolder& data) {
  data.mapping.class_names = {"background", "vessel", "optic disc", "lesion"};
  const std::vector<std::pair<std::int64_t, std::int64_t>> pixels = {
      {0, 314'700'000},  {63, 4'120},      {64, 33'100'000},
      {128, 12'900'000}, {192, 4'700'000}, {255, 2'900'000}};
  for (const auto& [value, count] : pixels)
    data.summary.mask_keys.push_back({grey(value), count, value == 63 ? 2 : 45});
  for (std::uint8_t id = 0; id < 4; ++id) data.mapping.ids[grey(64 * id)] = id;
  data.mapping.ids[grey(63)] = data.mapping.ids[grey(255)] = base::kIgnoreLabel;
}

void add_many_values(ui::DataFolder& data, std::size_t values) {
  for (std::size_t i = 0; i < values; ++i) {
    const auto value = static_cast<std::int64_t>(i);
    data.summary.mask_keys.push_back({grey(value), 1'000'000 / (value + 1), 1});
    if (value < base::kMaxClasses) {
      data.mapping.class_names.push_back("class_" + std::to_string(value));
      data.mapping.ids[grey(value)] = static_cast<std::uint8_t>(value);
    } else {
      data.mapping.ids[grey(value)] = base::kIgnoreLabel;
    }
  }
}

/// Classes as the mapping makes them of the values.
void add_classes(ui::DataFolder& data) {
  for (std::size_t id = 0; id < data.mapping.class_names.size(); ++id) {
    base::ClassSummary each{
        .id = static_cast<std::int64_t>(id), .name = data.mapping.class_names[id], .images = 45};
    for (const base::MaskKeySummary& key : data.summary.mask_keys) {
      if (data.mapping.ids.at(key.key) == id) each.pixels += key.pixels;
    }
    data.summary.classes.push_back(std::move(each));
  }
  data.summary.ignored_pixels = 2'904'120;
}

void add_samples(ui::DataFolder& data, std::size_t samples) {
  for (std::size_t i = 0; i < samples; ++i) {
    ui::FolderSample sample{
        .id = fmt::format("images/fundus_{:03}.tif", i + 1),
        .label = fmt::format("fundus_{:03}", i + 1),
        .mask = fmt::format("masks/fundus_{:03}_mask.png", i + 1),
        .height = 2336,
        .width = 3504,
        .side = i % 5 == 4 ? ui::SplitSide::validation : ui::SplitSide::training};
    for (const base::ClassSummary& each : data.summary.classes)
      sample.class_pixels.push_back(each.pixels / static_cast<std::int64_t>(samples));
    data.samples.push_back(std::move(sample));
  }
}

void add_finding(ui::DataFolder& data, base::Finding finding,
                 std::optional<std::size_t> sample = {}) {
  if (sample && *sample < data.samples.size()) {
    auto& worst = data.samples[*sample].worst;
    worst = std::max(worst.value_or(finding.severity), finding.severity);
  }
  data.summary.findings.push_back(std::move(finding));
  data.sample_of_finding.push_back(sample);
}

void add_findings(ui::DataFolder& data, const SampleFolder& sample) {
  if (sample.has_error) {
    add_finding(data,
                {Severity::error, "mask-size-differs", "images/fundus_004.tif",
                 "the mask has 2560 x 1920 pixels, the image 3504 x 2336"},
                3);
  }
  for (std::size_t i = 0; i < sample.findings; ++i) {
    const std::size_t of = (7 * i + 1) % std::max<std::size_t>(1, data.samples.size());
    if (i % 2 == 0) {
      add_finding(data,
                  {Severity::warning, "same-pixels", fmt::format("images/fundus_{:03}.tif", of + 1),
                   "the same pixels are on both sides of the split"},
                  of);
    } else {
      add_finding(data, {Severity::info, "ignore-value", "",
                         "the mask value 255 (2900000 pixels) is taken as ignore"});
    }
  }
}

ui::DataFolder plain_folder(const SampleFolder& sample) {
  ui::DataFolder data;
  data.folder = "data/fundus";
  data.settings.data.split = "0.2";
  data.settings.step.seed = 7;
  data.mapping_source = "proposed";
  data.summary.root = "data/fundus";
  data.summary.layout = "images-masks";
  data.summary.samples = static_cast<std::int64_t>(sample.samples);
  data.summary.channels = 3;
  if (sample.samples > 0) {
    data.summary.min_height = data.summary.max_height = 2336;
    data.summary.min_width = data.summary.max_width = 3504;
  }
  if (sample.mask_values > 6) {
    add_many_values(data, sample.mask_values);
  } else if (sample.mask_values > 0) {
    add_retina_values(data);
  }
  add_classes(data);
  add_samples(data, sample.samples);
  add_findings(data, sample);
  return data;
}

SharedFolder shared_folder(ui::DataFolder data) {
  return std::make_shared<const ui::DataFolder>(std::move(data));
}

/// A disc with vessels, as large as it is looked at.
run::SharedPreview retina_picture(const std::string& id) {
  constexpr std::int64_t kHeight = 292, kWidth = 438;
  auto picture = std::make_shared<run::SamplePreview>();
  picture->sample_id = id;
  picture->full_height = 2336;
  picture->full_width = 3504;
  picture->image = {.height = kHeight, .width = kWidth, .channels = 3};
  picture->truth = {.height = kHeight, .width = kWidth};
  for (std::int64_t y = 0; y < kHeight; ++y) {
    for (std::int64_t x = 0; x < kWidth; ++x) {
      const double dx = static_cast<double>(x - kWidth / 2),
                   dy = static_cast<double>(y - kHeight / 2);
      const double radius = std::hypot(dx, dy);
      const bool is_inside = radius < 140;
      const double light = is_inside ? 1.0 - radius / 280 : 0;
      for (const double tone : {225.0, 120.0, 60.0})
        picture->image.pixels.push_back(static_cast<std::byte>(static_cast<int>(tone * light)));
      const bool is_disc = std::hypot(dx - 60, dy + 10) < 26;
      const bool is_vessel = is_inside && std::abs(dy - 40 * std::sin(dx / 40)) < 4;
      picture->truth.labels.push_back(is_disc ? 2 : (is_vessel ? 1 : 0));
    }
  }
  return picture;
}

ui::SharedPicture small_picture(const run::SamplePreview& of, std::uint32_t shade) {
  auto picture = std::make_shared<ui::Picture>();
  picture->height = of.image.height / 2;
  picture->width = of.image.width / 2;
  for (std::int64_t y = 0; y < picture->height; ++y) {
    for (std::int64_t x = 0; x < picture->width; ++x) {
      const auto* const at =
          of.image.pixels.data() + static_cast<std::size_t>((2 * y * of.image.width + 2 * x) * 3);
      const auto value = [&](std::size_t i) {
        return std::to_integer<std::uint32_t>(at[i]) * (200 + shade) / 255;
      };
      picture->pixels.push_back(IM_COL32(value(0), value(1), value(2), 255));
    }
  }
  return picture;
}

}  // namespace

SharedFolder sample_folder(const SampleFolder& sample) {
  return shared_folder(plain_folder(sample));
}

ui::SamplePictures sample_pictures(const SharedFolder& folder, std::size_t chosen) {
  ui::SamplePictures pictures{.of = folder};
  if (folder->samples.empty()) return pictures;
  const run::SharedPreview picture = retina_picture(folder->samples[chosen].id);
  pictures.chosen = ui::SampleView{.sample = chosen, .picture = picture};
  constexpr std::size_t kThumbnails = 60;
  for (std::size_t i = 0; i < std::min(kThumbnails, folder->samples.size()); ++i)
    pictures.thumbnails[i] = small_picture(*picture, static_cast<std::uint32_t>(i * 13 % 55));
  return pictures;
}

run::RunSnapshot run_ready_on(const ui::DataFolder& folder) {
  run::RunSnapshot snapshot;
  snapshot.state = run::RunState::ready;
  snapshot.request = run::RunRequest{
      .settings = folder.settings, .data_folder = folder.folder, .run_folder = "runs/fundus-001"};
  return snapshot;
}

std::vector<HostileFolder> hostile_folders() {
  std::vector<HostileFolder> all;
  all.push_back({"nothing", shared_folder({.folder = "data/fundus"})});
  all.push_back({"no samples", sample_folder({.samples = 0, .mask_values = 0})});
  all.push_back({"500 findings", sample_folder({.findings = 500, .has_error = true})});
  all.push_back({"300 values", sample_folder({.mask_values = 300})});
  all.push_back({"20000 samples", sample_folder({.samples = 20'000})});
  ui::DataFolder odd = plain_folder({.has_error = true});
  const std::string name(300, 'W');
  odd.folder = odd.summary.root = "/" + name + "/" + name;
  odd.summary.layout = odd.mapping_source = odd.split_problem = name;
  for (ui::FolderSample& sample : odd.samples)
    sample.id = sample.label = name + "/" + name + sample.id;
  for (std::string& each : odd.mapping.class_names) each = name;
  for (base::ClassSummary& each : odd.summary.classes) each.name = name;
  for (base::Finding& each : odd.summary.findings) each.file = each.message = each.code = name;
  all.push_back({"long names", shared_folder(std::move(odd))});
  ui::DataFolder texts = plain_folder({});
  for (ui::FolderSample& sample : texts.samples) sample.id = sample.label = "##\xFF%s###x";
  for (std::string& each : texts.mapping.class_names) each = "##\xFF%s";
  for (base::Finding& each : texts.summary.findings) each.message = "two\nlines\xFE%n";
  texts.mapping_source = "";
  all.push_back({"odd texts", shared_folder(std::move(texts))});
  ui::DataFolder torn = plain_folder({});
  torn.sample_of_finding = {std::size_t{999}};
  torn.mapping.ids[grey(64)] = 200;
  torn.mapping.class_names.resize(1);
  torn.summary.classes.resize(2);
  for (ui::FolderSample& sample : torn.samples) sample.class_pixels = {kHuge, -5, 3, 9, 1, 2};
  torn.samples[2].width = torn.samples[2].height = 0;
  all.push_back({"other lengths", shared_folder(std::move(torn))});
  ui::DataFolder vast = plain_folder({});
  for (base::MaskKeySummary& key : vast.summary.mask_keys) key = {key.key, kHuge, -1};
  for (base::ClassSummary& each : vast.summary.classes) each.pixels = each.images = -7;
  vast.summary.samples = vast.summary.max_width = vast.summary.channels = kHuge;
  vast.summary.ignored_pixels = -1;
  all.push_back({"vast and negative", shared_folder(std::move(vast))});
  return all;
}

}  // namespace headroom::tests
