#include "core/formats/tile_augmenter.hpp"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "core/base/image.hpp"
#include "core/formats/band_changes.hpp"

namespace headroom::formats {

namespace {

using data::Offset;
using data::TileSpan;

/// cv::remap takes up to four interleaved bands; more are done one by one.
constexpr std::int64_t kMostInterleaved = 4;

/// For each pixel of the tile where it lies in the window, as cv::remap wants it.
struct PixelMap {
  cv::Mat across;  ///< CV_32F
  cv::Mat down;
};

cv::Mat as_mat(std::vector<float>& values, std::int64_t rows, std::int64_t columns) {
  return {static_cast<int>(rows), static_cast<int>(columns), CV_32FC1, values.data()};
}

/// Displacements of every pixel of the tile, from those of the grid's points.
PixelMap make_displacements(const data::TileWarp& warp, data::CounterRandom random,
                            const TileSpan& tile) {
  data::DisplacementGrid grid = draw_displacements(warp, tile.height, tile.width, random);
  const cv::Size size(static_cast<int>(tile.width), static_cast<int>(tile.height));
  PixelMap displacements;
  cv::resize(as_mat(grid.across, grid.rows, grid.columns), displacements.across, size, 0, 0,
             cv::INTER_CUBIC);
  cv::resize(as_mat(grid.down, grid.rows, grid.columns), displacements.down, size, 0, 0,
             cv::INTER_CUBIC);
  return displacements;
}

double middle(std::int64_t size) { return static_cast<double>(size - 1) / 2; }

PixelMap make_map(const TileSpan& window, const data::TileWarp& warp, data::CounterRandom random,
                  const TileSpan& tile) {
  const bool bends = warp.elastic_px > 0;
  const PixelMap displaced = bends ? make_displacements(warp, random, tile) : PixelMap{};
  // The map is linear but for the displacements.
  const Offset of_row = window_offset(warp, {1, 0});
  const Offset of_column = window_offset(warp, {0, 1});
  const cv::Size size(static_cast<int>(tile.width), static_cast<int>(tile.height));
  PixelMap map{cv::Mat(size, CV_32FC1), cv::Mat(size, CV_32FC1)};
  for (int y = 0; y < size.height; ++y) {
    auto* across = map.across.ptr<float>(y);
    auto* down = map.down.ptr<float>(y);
    const float* bend_across = bends ? displaced.across.ptr<float>(y) : nullptr;
    const float* bend_down = bends ? displaced.down.ptr<float>(y) : nullptr;
    for (int x = 0; x < size.width; ++x) {
      const double row = y - middle(tile.height) + (bends ? bend_down[x] : 0.0F);
      const double column = x - middle(tile.width) + (bends ? bend_across[x] : 0.0F);
      down[x] =
          static_cast<float>(middle(window.height) + row * of_row.down + column * of_column.down);
      across[x] = static_cast<float>(middle(window.width) + row * of_row.across +
                                     column * of_column.across);
    }
  }
  return map;
}

/// Calls work(from, to) with matrices over the same bands of both spans: all at once where OpenCV
/// can, else one after the other.
template <typename Work>
void for_interleaved_bands(const TileSpan& from, const TileSpan& to, const Work& work) {
  if (from.channels <= kMostInterleaved) {
    const int type = CV_32FC(static_cast<int>(from.channels));
    const cv::Mat source(static_cast<int>(from.height), static_cast<int>(from.width), type,
                         from.pixels.data());
    cv::Mat target(static_cast<int>(to.height), static_cast<int>(to.width), type, to.pixels.data());
    work(source, target);
    return;
  }
  for (std::int64_t band = 0; band < from.channels; ++band) {
    const cv::Mat source = copy_band(from, band);
    cv::Mat target(static_cast<int>(to.height), static_cast<int>(to.width), CV_32FC1);
    work(source, target);
    put_band(target, band, to);
  }
}

class OpenCvAugmenter final : public data::TileAugmenter {
 private:
  void do_warp(const TileSpan& window, const data::TileWarp& warp, data::CounterRandom random,
               const TileSpan& tile) const override {
    const PixelMap map = make_map(window, warp, random, tile);
    // One quicker form of the map for all bands.
    cv::Mat places, fractions;
    cv::convertMaps(map.across, map.down, places, fractions, CV_16SC2);
    for_interleaved_bands(window, tile, [&](const cv::Mat& source, cv::Mat& target) {
      cv::remap(source, target, places, fractions, cv::INTER_LINEAR, cv::BORDER_REFLECT_101);
    });
    const cv::Mat source(static_cast<int>(window.height), static_cast<int>(window.width), CV_8UC1,
                         window.labels.data());
    cv::Mat target(static_cast<int>(tile.height), static_cast<int>(tile.width), CV_8UC1,
                   tile.labels.data());
    cv::remap(source, target, map.across, map.down, cv::INTER_NEAREST, cv::BORDER_CONSTANT,
              cv::Scalar::all(base::kIgnoreLabel));
  }

  void do_change_values(const TileSpan& tile, const data::Augmentation& augmentation,
                        data::CounterRandom random) const override {
    for (std::int64_t band = 0; band < tile.channels; ++band) {
      const BandChange change = draw_band_change(augmentation, random);
      if (change.changes_nothing()) continue;
      cv::Mat values = copy_band(tile, band);
      apply(change, values);
      put_band(values, band, tile);
    }
  }
};

}  // namespace

std::shared_ptr<const data::TileAugmenter> make_tile_augmenter() {
  cv::setNumThreads(1);
  return std::make_shared<OpenCvAugmenter>();
}

}  // namespace headroom::formats
