#include "core/formats/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/data/parallel_for.hpp"

namespace headroom::formats {

namespace {

/// Tiles along a block's side: the most that gives blocks enough.
constexpr std::array<std::int64_t, 3> kTilesPerSide = {4, 2, 1};

struct Grid {
  std::int64_t rows = 1, columns = 1;
};

/// Blocks of about these lengths, at least three quarters of them in images that are larger.
Grid grid_of(const data::Sample& image, std::int64_t height, std::int64_t width) {
  const auto parts = [](std::int64_t length, std::int64_t side) {
    return std::max<std::int64_t>(1, (length + side / 2) / side);
  };
  return {parts(image.height, height), parts(image.width, width)};
}

std::vector<Grid> choose_grids(const std::vector<data::Sample>& images,
                               const BlockOptions& options) {
  std::vector<Grid> grids;
  for (const std::int64_t tiles : kTilesPerSide) {
    grids.clear();
    std::int64_t blocks = 0;
    for (const data::Sample& image : images) {
      grids.push_back(grid_of(image, tiles * options.tile_height, tiles * options.tile_width));
      blocks += grids.back().rows * grids.back().columns;
    }
    if (blocks >= options.wanted) break;
  }
  return grids;
}

data::Sample block_of(const data::Sample& image, const Grid& grid, std::int64_t row,
                      std::int64_t column) {
  data::Sample block = image;
  const std::int64_t top = image.height * row / grid.rows;
  const std::int64_t left = image.width * column / grid.columns;
  block.id = fmt::format("{}@r{}c{}", image.id, row, column);
  block.height = image.height * (row + 1) / grid.rows - top;
  block.width = image.width * (column + 1) / grid.columns - left;
  block.part = data::ImagePart{top, left, image.height, image.width};
  return block;
}

struct Blocks {
  std::vector<data::Sample> samples{};
  std::vector<SampleTraits> traits{};
  std::vector<std::vector<std::int64_t>> class_pixels{};
};

/// Images that are no larger than a block stay as they are.
Blocks cut(const Dataset& dataset, const std::vector<Grid>& grids) {
  Blocks blocks;
  for (std::size_t i = 0; i < grids.size(); ++i) {
    const Grid& grid = grids[i];
    const bool is_whole = grid.rows * grid.columns == 1;
    for (std::int64_t row = 0; row < grid.rows; ++row) {
      for (std::int64_t column = 0; column < grid.columns; ++column) {
        blocks.samples.push_back(is_whole ? dataset.samples[i]
                                          : block_of(dataset.samples[i], grid, row, column));
        blocks.traits.push_back(is_whole ? dataset.traits[i]
                                         : SampleTraits{.geo = dataset.traits[i].geo});
        blocks.class_pixels.push_back(
            is_whole ? dataset.class_pixels[i]
                     : std::vector<std::int64_t>(dataset.summary.classes.size()));
      }
    }
  }
  return blocks;
}

void measure_block(const data::SampleReader& reader, Blocks& blocks, std::size_t i) {
  if (!blocks.samples[i].part) return;
  const data::DecodedSample decoded = reader.read(blocks.samples[i]);
  blocks.traits[i].picture = digest_picture(decoded.image);
  for (const std::uint8_t label : decoded.labels.labels)
    if (label != base::kIgnoreLabel) ++blocks.class_pixels[i].at(label);
}

/// Returns how many were left out.
std::int64_t drop_unlearnable(Blocks& blocks) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < blocks.samples.size(); ++i) {
    const bool is_learned =
        std::ranges::any_of(blocks.class_pixels[i], [](std::int64_t pixels) { return pixels > 0; });
    if (blocks.samples[i].part && !is_learned) continue;
    if (kept != i) {
      blocks.samples[kept] = std::move(blocks.samples[i]);
      blocks.traits[kept] = std::move(blocks.traits[i]);
      blocks.class_pixels[kept] = std::move(blocks.class_pixels[i]);
    }
    ++kept;
  }
  const auto dropped = static_cast<std::int64_t>(blocks.samples.size() - kept);
  blocks.samples.resize(kept);
  blocks.traits.resize(kept);
  blocks.class_pixels.resize(kept);
  return dropped;
}

base::Finding describe(std::size_t images, const Blocks& blocks, std::int64_t dropped) {
  const std::string left_out =
      dropped > 0 ? fmt::format("; {} blocks without a labelled pixel are left out", dropped) : "";
  return {base::Severity::info,
          "blocks",
          {},
          fmt::format("{} images are cut into {} blocks, such as '{}' of {}x{} pixels{}", images,
                      blocks.samples.size(), blocks.samples.front().id,
                      blocks.samples.front().width, blocks.samples.front().height, left_out)};
}

}  // namespace

void cut_into_blocks(Dataset& dataset, const BlockOptions& options,
                     const std::function<void(const ScanProgress&)>& progress,
                     std::stop_token stop) {
  if (dataset.samples.empty()) return;
  Blocks blocks = cut(dataset, choose_grids(dataset.samples, options));
  const auto reader = make_sample_reader(dataset);
  const auto count = static_cast<std::int64_t>(blocks.samples.size());
  data::ParallelOptions parallel{.threads = options.threads, .stop = std::move(stop)};
  if (progress) parallel.progress = [&](std::int64_t done) { progress({done, count}); };
  data::parallel_for(count, parallel, [&](std::int64_t i) {
    measure_block(*reader, blocks, static_cast<std::size_t>(i));
  });
  const std::int64_t dropped = drop_unlearnable(blocks);
  if (blocks.samples.empty()) return;
  dataset.summary.findings.push_back(describe(dataset.samples.size(), blocks, dropped));
  dataset.samples = std::move(blocks.samples);
  dataset.traits = std::move(blocks.traits);
  dataset.class_pixels = std::move(blocks.class_pixels);
}

}  // namespace headroom::formats
