#include "core/formats/label_geotiff.hpp"

#include <cpl_string.h>
#include <fmt/format.h>
#include <gdal_priv.h>

#include <array>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/data/image_parts.hpp"
#include "core/formats/gdal_library.hpp"
#include "core/formats/gdal_messages.hpp"
#include "core/formats/gdal_palette.hpp"

namespace headroom::formats {

namespace {

/// Of the file's tiles: each is compressed once, when all its rows are there.
constexpr std::int64_t kTileSide = 256;

[[noreturn]] void fail_writing(const std::filesystem::path& file, const GdalMessages& messages) {
  throw base::Error(base::ErrorKind::io,
                    {"writing the labels", base::display_path(file),
                     "check that there is enough room on the disk", messages.text()});
}

GDALDataset* create(const std::filesystem::path& file, const LabelGeotiffOptions& options) {
  CPLStringList creation;
  creation.SetNameValue("COMPRESS", "DEFLATE");
  creation.SetNameValue("TILED", "YES");
  creation.SetNameValue("BLOCKXSIZE", fmt::format("{}", kTileSide).c_str());
  creation.SetNameValue("BLOCKYSIZE", fmt::format("{}", kTileSide).c_str());
  creation.SetNameValue("BIGTIFF", "IF_SAFER");
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  return driver->Create(file.c_str(), static_cast<int>(options.width),
                        static_cast<int>(options.height), 1, GDT_Byte, creation.List());
}

}  // namespace

void LabelGeotiff::CloseDataset::operator()(GDALDataset* dataset) const { GDALClose(dataset); }

LabelGeotiff::LabelGeotiff(const std::filesystem::path& file, const LabelGeotiffOptions& options)
    : name_(file), file_(file) {
  prepare_gdal();
  const GdalMessages messages;
  dataset_.reset(create(file_.temporary(), options));
  if (!dataset_) fail_writing(name_, messages);
  set_palette(*dataset_, options.colours);
  dataset_->GetRasterBand(1)->SetNoDataValue(base::kIgnoreLabel);
  if (options.geo) {
    std::array<double, 6> geotransform = options.geo->geotransform;
    dataset_->SetGeoTransform(geotransform.data());
    if (!options.geo->crs_wkt.empty()) dataset_->SetProjection(options.geo->crs_wkt.c_str());
  }
  if (messages.failed()) fail_writing(name_, messages);
  rows_.width = options.width;
}

LabelGeotiff::~LabelGeotiff() {
  // What closing has to say of a file that is given up is for nobody.
  const GdalMessages messages;
  dataset_.reset();
}

void LabelGeotiff::put(const base::PixelWindow& window, const base::LabelImage& labels) {
  if (window.bottom() > first_row_ + rows_.height) {
    rows_.height = window.bottom() - first_row_;
    rows_.labels.resize(static_cast<std::size_t>(rows_.height * rows_.width));
  }
  data::copy_overlap(labels, window, rows_,
                     {.top = first_row_, .width = rows_.width, .height = rows_.height});
  if (window.right() == rows_.width) write_rows(rows_.height / kTileSide * kTileSide);
}

void LabelGeotiff::write_rows(std::int64_t count) {
  if (count == 0) return;
  const GdalMessages messages;
  const auto width = static_cast<int>(rows_.width), height = static_cast<int>(count);
  const CPLErr result = dataset_->RasterIO(GF_Write, 0, static_cast<int>(first_row_), width, height,
                                           rows_.labels.data(), width, height, GDT_Byte, 1, nullptr,
                                           0, 0, 0, nullptr);
  if (result != CE_None || messages.failed()) fail_writing(name_, messages);
  rows_.labels.erase(rows_.labels.begin(), rows_.labels.begin() + count * rows_.width);
  rows_.height -= count;
  first_row_ += count;
}

void LabelGeotiff::commit() {
  write_rows(rows_.height);
  const GdalMessages messages;
  dataset_.reset();
  if (messages.failed()) fail_writing(name_, messages);
  file_.commit();
}

}  // namespace headroom::formats
