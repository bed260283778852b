#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/train/staged_model.hpp"
#include "models/unet.hpp"

namespace headroom::models {
namespace {

base::ModelSettings small(std::int64_t levels = 3) {
  base::ModelSettings settings;
  settings.levels = levels;
  settings.base_channels = 4;
  settings.channels = 3;
  settings.classes = 2;
  return settings;
}

TEST(UNet_Stages, OfFiveLevels_AreNamedInOrder) {
  const auto model = make_model(small(5));
  EXPECT_EQ(model->stage_names(), (std::vector<std::string>{"enc1", "enc2", "enc3", "enc4", "enc5",
                                                            "dec4", "dec3", "dec2", "dec1"}));
  EXPECT_EQ(model->stride(), 16);
  EXPECT_EQ(model->stages()[4].channels, 64);
  EXPECT_EQ(model->stages()[8].downscale, 1);
}

TEST(UNet_Parameters, OfTheStandardNetwork_AreAsManyAsItsFormulaSays) {
  base::ModelSettings settings = small(5);
  settings.base_channels = 32;
  const auto model = make_model(settings);
  // 3x3 convolutions without bias, batch norms with scale and shift, up-convolutions and head with
  // bias.
  std::int64_t expected = 32 * 2 + 2;
  std::int64_t in = 3;
  for (std::int64_t level = 0; level < 5; ++level) {
    const std::int64_t out = 32 << level;
    expected += 9 * in * out + 9 * out * out + 4 * out;
    in = out;
  }
  for (std::int64_t level = 3; level >= 0; --level) {
    const std::int64_t out = 32 << level;
    expected += (2 * out * out * 4 + out) + 9 * 2 * out * out + 9 * out * out + 4 * out;
  }
  std::int64_t found = 0;
  for (const at::Tensor& p : model->parameters()) {
    found += p.numel();
  }
  EXPECT_EQ(found, expected);
}

TEST(UNet_Forward, OfAnySize_GivesLogitsOfThatSize) {
  for (const base::NormKind norm :
       {base::NormKind::batch, base::NormKind::group, base::NormKind::instance}) {
    base::ModelSettings settings = small();
    settings.norm = norm;
    const auto model = make_model(settings);
    for (const auto& [height, width] :
         {std::pair<std::int64_t, std::int64_t>{16, 16}, {17, 23}, {5, 40}}) {
      const at::Tensor logits = model->forward(at::randn({2, 3, height, width}));
      EXPECT_EQ(logits.sizes(), (std::vector<std::int64_t>{2, 2, height, width}));
      EXPECT_TRUE(at::isfinite(logits).all().item<bool>());
    }
  }
}

TEST(UNet_Forward, OtherChannels_IsRefusedNamingThem) {
  const auto model = make_model(small());
  try {
    static_cast<void>(model->forward(at::randn({1, 4, 16, 16})));
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find('4'), std::string::npos);
  }
}

TEST(UNet_Training, WithOneValueForANorm_IsRefused) {
  const auto model = make_model(small());
  model->train();
  EXPECT_THROW(model->check_training_sizes({1, 3, 4, 4}), base::Error);
  EXPECT_NO_THROW(model->check_training_sizes({2, 3, 4, 4}));
  EXPECT_THROW(static_cast<void>(model->forward(at::randn({1, 3, 4, 4}))), base::Error);
  model->eval();
  EXPECT_NO_THROW(static_cast<void>(model->forward(at::randn({1, 3, 4, 4}))));
}

/// The plain U-Net with concatenation, on the tensors of a model file.
at::Tensor plain_unet(const train::NamedTensors& t, at::Tensor x, std::int64_t levels) {
  const auto block = [&t](const at::Tensor& in, const std::string& stage) {
    at::Tensor h = in;
    for (const std::string part : {"a", "b"}) {
      h = at::conv2d(h, t.at(stage + ".conv_" + part + ".weight"), {}, 1, 1);
      const std::string norm = stage + ".norm_" + part + ".";
      h = at::batch_norm(h, t.at(norm + "weight"), t.at(norm + "bias"), t.at(norm + "running_mean"),
                         t.at(norm + "running_var"), false, 0.1, 1e-5, false)
              .relu();
    }
    return h;
  };
  std::vector<at::Tensor> skips;
  for (std::int64_t level = 1; level <= levels; ++level) {
    x = block(level == 1 ? x : at::max_pool2d(skips.back(), 2), "enc" + std::to_string(level));
    skips.push_back(x);
  }
  for (std::int64_t level = levels - 1; level >= 1; --level) {
    const std::string stage = "dec" + std::to_string(level);
    const at::Tensor up =
        at::conv_transpose2d(x, t.at(stage + ".up.weight"), t.at(stage + ".up.bias"), 2);
    x = block(at::cat({skips[static_cast<std::size_t>(level - 1)], up}, 1), stage);
  }
  return at::conv2d(x, t.at("head.weight"), t.at("head.bias"));
}

TEST(UNet_FileTensors, InAPlainUNetWithConcatenation_GiveTheSameLogits) {
  const auto model = make_model(small());
  model->eval();
  const at::NoGradGuard no_grad;
  const at::Tensor x = at::randn({1, 3, 16, 24});
  const at::Tensor expected = plain_unet(model->file_tensors(), x, 3);
  EXPECT_TRUE(at::allclose(model->forward(x), expected, 1e-5, 1e-5));
}

TEST(UNet_FileTensors, DecodersFirstConvolution_IsOneWeight) {
  const train::NamedTensors tensors = make_model(small())->file_tensors();
  EXPECT_EQ(tensors.at("dec1.conv_a.weight").sizes(), (std::vector<std::int64_t>{4, 8, 3, 3}));
  EXPECT_FALSE(tensors.contains("dec1.conv_a_skip.weight"));
  for (const auto& [name, tensor] : tensors) {
    EXPECT_TRUE(tensor.is_contiguous()) << name;
  }
}

TEST(UNet_LoadFileTensors, OfAnotherModel_MakesThemEqual) {
  at::manual_seed(1);
  const auto a = make_model(small());
  const auto b = make_model(small());
  b->load_file_tensors(a->file_tensors());
  const train::NamedTensors of_a = a->file_tensors(), of_b = b->file_tensors();
  for (const auto& [name, tensor] : of_a) {
    EXPECT_TRUE(at::equal(tensor, of_b.at(name))) << name;
  }
}

TEST(UNet_LoadFileTensors, ThatDoNotFit_ChangesNothingAndNamesTheTensor) {
  const auto model = make_model(small());
  const at::Tensor head = model->file_tensors().at("head.weight").clone();
  train::NamedTensors tensors = make_model(small())->file_tensors();
  tensors.at("dec1.conv_a.weight") = at::zeros({4, 7, 3, 3});
  try {
    model->load_file_tensors(tensors);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_NE(std::string(error.what()).find("dec1.conv_a.weight"), std::string::npos);
  }
  EXPECT_TRUE(at::equal(head, model->file_tensors().at("head.weight")));
  tensors = make_model(small())->file_tensors();
  tensors.erase("head.bias");
  EXPECT_THROW(model->load_file_tensors(tensors), base::Error);
  tensors = make_model(small())->file_tensors();
  tensors["extra"] = at::zeros({1});
  EXPECT_THROW(model->load_file_tensors(tensors), base::Error);
}

TEST(UNet_SetPlan, PolicyThatIsNotThere_IsRefused) {
  const auto model = make_model(small());
  EXPECT_THROW(model->set_plan(plan::Plan(5, plan::Policy::offload)), base::Error);
  EXPECT_THROW(model->set_plan(plan::Plan(4, plan::Policy::keep)), base::Error);
}

TEST(UNet_Interrupt, AtAStagesBorder_EndsThePass) {
  const auto model = make_model(small());
  int borders = 0;
  model->set_interrupt([&borders] {
    if (++borders == 7) {
      throw base::Error(base::ErrorKind::interrupted, {"a", "b", "c"});
    }
  });
  const at::Tensor logits = model->forward(at::randn({1, 3, 16, 16}));  // five borders
  EXPECT_THROW(logits.sum().backward(), base::Error);
}

TEST(MakeModel, OtherName_IsRefused) {
  base::ModelSettings settings = small();
  settings.model = "resnet";
  EXPECT_THROW(static_cast<void>(make_model(settings)), base::Error);
}

}  // namespace
}  // namespace headroom::models
