// evaluate and predict on a trained run.
#include <gmock/gmock.h>

#include <sstream>

#include "core/formats/label_geotiff.hpp"
#include "core/formats/raster_reader.hpp"
#include "tests/app/cli_fixture.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

void write_grey_geotiff(const fs::path& file, std::int64_t height, std::int64_t width,
                        const formats::GeoReference& place) {
  formats::LabelGeotiff geotiff(file, {.height = height, .width = width, .geo = place});
  base::LabelImage grey{.height = height, .width = width};
  grey.labels.assign(static_cast<std::size_t>(height * width), 90);
  geotiff.put({.width = width, .height = height}, grey);
  geotiff.commit();
}

/// A run on grey discs, so that a label GeoTIFF can serve as an input image.
class Prediction : public CliTest {
 protected:
  Prediction() {
    write_discs(at("data"), 8, 1);
    const auto result = run(small_training(at("data"), at("run"), {"--quiet"}));
    EXPECT_EQ(result.exit_code, 0) << result.errors;
  }
  [[nodiscard]] tests::ProcessResult predict(const std::string& input) const {
    return run({"predict", at("run"), at(input), "--out", at("out")});
  }
};

TEST_F(Prediction, EvaluateWithoutData_RepeatsTheBestValidation) {
  std::istringstream results(read_text(at("run/results.csv")));
  std::string line;
  std::getline(results, line);
  double best = -1;
  while (std::getline(results, line)) {
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; i < 5; ++i) std::getline(fields, field, ',');
    best = std::max(best, std::stod(field));
  }
  const auto document = run_json({"evaluate", at("run")});
  EXPECT_NEAR(document["mean_dice"], best, 1e-9);
  EXPECT_EQ(document["images"].size(), 2U);
  EXPECT_EQ(document["classes"].size(), 2U);
  EXPECT_EQ(document["pixels"], 2 * 64 * 64);
}

TEST_F(Prediction, EvaluateWithData_ScoresEveryImageOfIt) {
  const auto document = run_json({"evaluate", at("run"), at("data")});
  EXPECT_EQ(document["images"].size(), 8U);
  const auto from_file = run_json({"evaluate", at("run/model_best.safetensors"), at("data")});
  EXPECT_EQ(from_file["mean_dice"], document["mean_dice"]);
}

TEST_F(Prediction, EvaluateOnOtherChannels_IsRefused) {
  write_discs(at("rgb"), 4, 3);
  expect_refusal(run({"evaluate", at("run"), at("rgb")}), 3, {"rgb", "3", "1"});
}

TEST_F(Prediction, Folder_WritesOneLabelMapAndOverlayOfEachImage) {
  const auto result = predict("data/images");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  for (const char* name : {"100.png", "107.png", "100_overlay.png"}) {
    const auto raster = formats::read_raster_info(at(std::string("out/") + name));
    EXPECT_EQ(raster.height, 64);
    EXPECT_EQ(raster.width, 64);
  }
  EXPECT_EQ(folder_contents(at("out")).size(), 16U);
}

TEST_F(Prediction, JsonOfTheSameImage_CountsThePixelsOfTheLabelMap) {
  const auto document = run_json(
      {"predict", at("run"), at("data/images/100.png"), "--out", at("out"), "--no-overlays"});
  ASSERT_EQ(document["images"].size(), 1U);
  const auto& pixels = document["images"][0]["pixels"];
  std::int64_t sum = 0;
  for (const auto& [name, count] : pixels.items()) sum += count.get<std::int64_t>();
  EXPECT_EQ(sum, 64 * 64);
  EXPECT_TRUE(document["images"][0]["overlay"].is_null());
  EXPECT_EQ(folder_contents(at("out")).size(), 1U);
}

TEST_F(Prediction, GeoTiff_KeepsItsPlaceOnTheGround) {
  const formats::GeoReference place{.crs_wkt = "EPSG:32633",
                                    .geotransform = {500000.0, 0.5, 0.0, 4600000.0, 0.0, -0.5}};
  write_grey_geotiff(at("scene.tif"), 70, 90, place);
  const auto source = formats::read_raster_info(at("scene.tif"));
  ASSERT_TRUE(source.geo);
  const auto result = predict("scene.tif");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto raster = formats::read_raster_info(at("out/scene.tif"));
  EXPECT_EQ(raster.geo, source.geo);
  EXPECT_EQ(raster.height, 70);
  EXPECT_EQ(raster.width, 90);
}

TEST_F(Prediction, ImagesThatShareAStem_BothGetAResult) {
  fs::create_directories(at("twins"));
  fs::copy_file(at("data/images/100.png"), at("twins/a.png"));
  write_grey_geotiff(at("twins/a.tif"), 64, 64, {.geotransform = {0, 1, 0, 0, 0, 1}});
  ASSERT_EQ(predict("twins").exit_code, 0);
  EXPECT_TRUE(fs::exists(at("out/a.png.png")));
  EXPECT_EQ(folder_contents(at("out")).size(), 4U);
}

TEST_F(Prediction, WrongChannels_NamesTheFileAndWritesNothing) {
  write_discs(at("rgb"), 1, 3);
  fs::copy_file(at("rgb/images/100.png"), at("data/images/rgb.png"));
  expect_refusal(predict("data/images"), 3, {"rgb.png", "3", "1"});
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(Prediction, InputThatCannotBeUsed_IsNamed) {
  expect_refusal(predict("nowhere.png"), 3, {"nowhere.png"});
  fs::create_directories(at("empty"));
  expect_refusal(predict("empty"), 3, {"empty"});
  write_text(at("text.png"), "no picture");
  expect_refusal(predict("text.png"), 3, {"text.png"});
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(Prediction, OutThatCannotTakeIt_IsRefused) {
  write_text(at("out/notes.txt"), "mine");
  expect_refusal(predict("data/images"), 2, {"out"});
  expect_refusal(run({"predict", at("run"), at("data/images"), "--out", at("data/images/out")}), 2,
                 {"data/images/out"});
  EXPECT_FALSE(fs::exists(at("data/images/out")));
}

TEST_F(Prediction, FileThatIsNoModel_IsRefused) {
  write_text(at("model.safetensors"), "no model");
  expect_refusal(run({"predict", at("model.safetensors"), at("data/images"), "--out", at("out")}),
                 2, {"model.safetensors"});
  const std::string model = read_text(at("run/model_best.safetensors"));
  write_text(at("half.safetensors"), model.substr(0, model.size() / 2));
  expect_refusal(run({"predict", at("half.safetensors"), at("data/images"), "--out", at("out")}), 2,
                 {"half.safetensors"});
  EXPECT_FALSE(fs::exists(at("out")));
}

}  // namespace
}  // namespace headroom::app
