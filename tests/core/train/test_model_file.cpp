#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/train/model_file.hpp"
#include "core/train/safetensors.hpp"
#include "tests/core/train/tiny_model.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::train {
namespace {

using tests::TemporaryFolder;

ModelDescription example() {
  ModelDescription description;
  description.model.base_channels = 8;
  description.model.levels = 3;
  description.model.norm = base::NormKind::group;
  description.model.dropout = 0.1;
  description.model.classes = 3;
  description.model.channels = 2;
  description.mapping.class_names = {"bird", "größe \"x\"", "third"};
  description.mapping.ids = {{{true, 0x3C1098}, 0}, {{true, 0x8429F6}, 1}, {{true, 1}, 2}};
  description.mapping.other = base::kIgnoreLabel;
  description.normalisation = {"zscore", {100.1, 0.1}, {1.0 / 3, 2e-7}};
  description.precision = base::Precision::bf16;
  description.tile_height = 256;
  description.tile_width = 384;
  description.step = 17;
  return description;
}

TEST(ModelFile, Saved_LoadsWithTheSameWeightsAndDescription) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "model.safetensors";
  const ModelDescription written = example();
  const auto model = tests::make_tiny_model(written.model);
  save_model_file(path, written, *model);
  const LoadedModel loaded = load_model_file(path, tests::make_tiny_model);
  EXPECT_TRUE(tests::StateSnapshot(*model) == tests::StateSnapshot(*loaded.model));
  EXPECT_FALSE(loaded.model->is_training());
  const ModelDescription& read = loaded.description;
  EXPECT_EQ(read.mapping, written.mapping);
  EXPECT_EQ(read.normalisation.mode, "zscore");
  EXPECT_EQ(read.normalisation.shift, written.normalisation.shift);
  EXPECT_EQ(read.normalisation.scale, written.normalisation.scale);
  EXPECT_EQ(read.model.levels, 3);
  EXPECT_EQ(read.model.norm, base::NormKind::group);
  EXPECT_EQ(read.model.dropout, 0.1);
  EXPECT_EQ(read.model.classes, 3);
  EXPECT_EQ(read.model.channels, 2);
  EXPECT_EQ(read.precision, base::Precision::bf16);
  EXPECT_EQ(read.tile_height, 256);
  EXPECT_EQ(read.tile_width, 384);
  EXPECT_EQ(read.step, 17);
  EXPECT_EQ(load_model_description(path).mapping, written.mapping);
}

TEST(ModelFile, ClippedNormalisation_IsStored) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "model.safetensors";
  ModelDescription written = example();
  save_model_file(path, written, *tests::make_tiny_model(written.model));
  EXPECT_FALSE(load_model_description(path).normalisation.clipped);
  written.normalisation = {"ct-window", {-1350, -1350}, {1.0 / 1500, 1.0 / 1500}, true};
  save_model_file(path, written, *tests::make_tiny_model(written.model));
  const data::Normalisation read = load_model_description(path).normalisation;
  EXPECT_EQ(read.mode, "ct-window");
  EXPECT_TRUE(read.clipped);
}

TEST(ModelFile, FileOfVersionOne_IsNotClipped) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "model.safetensors";
  save_model_file(path, example(), *tests::make_tiny_model(example().model));
  SafetensorsContents contents = read_safetensors(path);
  contents.metadata.at("headroom_model_version") = "1";
  contents.metadata.at("normalisation") = R"({"mode":"zscore","shift":[1,2],"scale":[1,1]})";
  write_safetensors(path, contents.tensors, contents.metadata);
  EXPECT_FALSE(load_model_description(path).normalisation.clipped);
}

/// The file of `example` with one metadata text replaced (or taken away, when empty), read again.
base::Error error_with(const std::string& key, const std::string& text) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "model.safetensors";
  save_model_file(path, example(), *tests::make_tiny_model(example().model));
  SafetensorsContents contents = read_safetensors(path);
  contents.metadata.at(key) = text;
  if (text.empty()) {
    contents.metadata.erase(key);
  }
  write_safetensors(path, contents.tensors, contents.metadata);
  return tests::thrown_error([&] { (void)load_model_file(path, tests::make_tiny_model); }).value();
}

TEST(ModelFile, NewerVersion_IsRefused) {
  const auto error = error_with("headroom_model_version", "3");
  EXPECT_EQ(error.kind(), base::ErrorKind::usage);
  EXPECT_NE(error.parts().subject.find("newer"), std::string::npos);
}

TEST(ModelFile, AnyTextMissingOrDamaged_IsAUsageErrorNamingTheFile) {
  for (const char* key :
       {"headroom_model_version", "settings", "mapping", "normalisation", "step"}) {
    for (const char* text : {"", "[1"}) {
      const auto error = error_with(key, text);
      EXPECT_EQ(error.kind(), base::ErrorKind::usage) << key;
      EXPECT_NE(error.parts().subject.find("model.safetensors"), std::string::npos)
          << key << ": " << error.what();
    }
  }
}

TEST(ModelFile, NormalisationOfOtherChannels_IsAUsageError) {
  EXPECT_EQ(error_with("normalisation", R"({"mode":"zscore","shift":[1],"scale":[1]})").kind(),
            base::ErrorKind::usage);
}

TEST(ModelFile, FileOfAnotherProgram_IsAUsageError) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "other.safetensors";
  write_safetensors(path, {{"w", at::zeros({2})}}, {{"format", "pt"}});
  const auto error = tests::thrown_error([&] { (void)load_model_description(path); }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::usage);
}

}  // namespace
}  // namespace headroom::train
