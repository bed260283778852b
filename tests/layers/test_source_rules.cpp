// The repository's own sources against the table of layers, and the checks against planted
// violations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/source_rules.hpp"

namespace headroom::tests {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

fs::path repository() { return HEADROOM_SOURCE_DIR; }

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::string own_header_of(const std::string& file) {
  const auto header = fs::path(file).replace_extension(".hpp").generic_string();
  return file.ends_with(".cpp") && fs::exists(repository() / header) ? header : std::string();
}

TEST(Repository, AllSources_KeepToTheLayers) {
  std::vector<std::string> found;
  for (const auto& file : source_files(repository())) {
    append(found, layer_violations(file, read_text(repository() / file)));
  }
  EXPECT_THAT(found, IsEmpty());
}

TEST(Repository, AllHeaders_CompileAlone) {
  std::vector<std::string> found;
  for (const auto& file : source_files(repository())) {
    append(found, header_violations(file, read_text(repository() / file), own_header_of(file)));
  }
  EXPECT_THAT(found, IsEmpty());
}

TEST(Repository, AllLayerSources_AreListedForTheBuild) {
  std::vector<std::string> missing;
  for (const auto& file : source_files(repository())) {
    const fs::path path(file);
    const auto list = repository() / path.parent_path() / "CMakeLists.txt";
    const bool needs_list = !layer_of(file).empty() || path.extension() == ".cpp";
    if (!needs_list || file.starts_with("tests/support/")) continue;
    if (!fs::exists(list) || !is_listed(path.filename().string(), read_text(list))) {
      missing.push_back(file);
    }
  }
  EXPECT_THAT(missing, IsEmpty());
}

TEST(Repository, SourceSearch_FindsItsOwnFiles) {
  EXPECT_THAT(source_files(repository()), ::testing::Contains("tests/layers/source_rules.cpp"));
}

TEST(LayerCheck, UpwardInclude_IsReportedWithItsLine) {
  EXPECT_THAT(layer_violations("core/base/error.hpp", "\n#include \"core/plan/plan.hpp\"\n"),
              ElementsAre(HasSubstr("core/base/error.hpp:2: core/base may not include core/plan")));
}

TEST(LayerCheck, SidewaysInclude_IsReported) {
  EXPECT_THAT(layer_violations("ui/panel.cpp", "#include \"models/unet.hpp\""),
              ElementsAre(HasSubstr("ui may not include models")));
}

TEST(LayerCheck, ExampleThatReachesBehindTheLibrary_IsReported) {
  EXPECT_THAT(
      layer_violations("examples/sequential/train.cpp", "#include \"core/memory/meter.hpp\"\n"),
      ElementsAre(HasSubstr("examples may not include core/memory")));
  EXPECT_THAT(layer_violations("headroom/checkpoint.cpp", "#include \"core/train/bench.hpp\"\n"),
              ElementsAre(HasSubstr("headroom may not include core/train")));
  EXPECT_THAT(
      layer_violations("examples/sequential/train.cpp", "#include <headroom/checkpoint.hpp>\n"),
      IsEmpty());
}

TEST(LayerCheck, OwnAndLowerLayers_AreAllowed) {
  EXPECT_THAT(layer_violations("core/run/reduce.cpp",
                               "#include \"core/run/reduce.hpp\"\n#include \"core/plan/plan.hpp\"\n"
                               "#include <vector>\n#include <fmt/format.h>\n"),
              IsEmpty());
}

TEST(LayerCheck, LibraryOutsideItsLayer_IsReported) {
  struct Case {
    std::string_view file, include, library;
  };
  for (const Case& planted : {
           Case{"core/run/job.cpp", "torch/torch.h", "torch"},
           Case{"core/data/batch.cpp", "c10/core/Device.h", "torch"},
           Case{"app/main.cpp", "ATen/ATen.h", "torch"},
           Case{"models/unet.cpp", "c10/cuda/CUDAFunctions.h", "CUDA"},
           Case{"core/memory/meter.cpp", "cuda_runtime_api.h", "CUDA"},
           Case{"core/train/loop.cpp", "opencv2/core.hpp", "OpenCV"},
           Case{"app/main.cpp", "gdal_priv.h", "GDAL"},
           Case{"core/data/sample.cpp", "cpl_conv.h", "GDAL"},
           Case{"core/run/view.hpp", "imgui.h", "Dear ImGui"},
           Case{"ui/window.cpp", "GLFW/glfw3.h", "GLFW or OpenGL"},
       }) {
    EXPECT_THAT(layer_violations(planted.file, "#include <" + std::string(planted.include) + ">\n"),
                ElementsAre(HasSubstr("may not use " + std::string(planted.library))))
        << planted.file;
  }
}

TEST(LayerCheck, LibraryInItsLayer_IsAllowed) {
  EXPECT_THAT(layer_violations("core/formats/read.cpp",
                               "#include <gdal_priv.h>\n#include <opencv2/core.hpp>\n"),
              IsEmpty());
  EXPECT_THAT(layer_violations("models/unet.cpp", "#include <torch/torch.h>\n"), IsEmpty());
}

TEST(LayerCheck, SpacedOrAngledInclude_IsReportedToo) {
  EXPECT_THAT(layer_violations("core/base/log.cpp", "  #  include  <core/run/events.hpp>\n"),
              ElementsAre(HasSubstr("may not include core/run")));
}

TEST(LayerCheck, RelativeInclude_IsReported) {
  EXPECT_THAT(layer_violations("core/base/log.cpp", "#include \"log.hpp\"\n"),
              ElementsAre(HasSubstr("does not start at the repository's root")));
}

TEST(LayerCheck, IncludeInAComment_IsNotRead) {
  EXPECT_THAT(layer_violations("core/base/log.cpp",
                               "// #include <torch/torch.h>\n/*\n#include <torch/torch.h>\n*/\n"
                               "const char* url = \"//\";\n"),
              IsEmpty());
}

TEST(LayerCheck, FileOutsideTheLayers_IsFree) {
  EXPECT_THAT(layer_violations("tests/models/unet.cpp", "#include <opencv2/core.hpp>\n"),
              IsEmpty());
}

TEST(HeaderCheck, HeaderWithoutPragmaOnce_IsReported) {
  EXPECT_THAT(header_violations("core/base/log.hpp", "int x;\n", ""),
              ElementsAre(HasSubstr("no #pragma once")));
}

TEST(HeaderCheck, OwnHeaderNotFirst_IsReported) {
  EXPECT_THAT(
      header_violations("core/base/log.cpp", "#include <string>\n#include \"core/base/log.hpp\"\n",
                        "core/base/log.hpp"),
      ElementsAre(HasSubstr("the first include is not")));
}

TEST(BuildListCheck, FileName_CountsOnlyAsAWholeWord) {
  EXPECT_TRUE(is_listed("plan.cpp", "SOURCES\n    plan.cpp\n)"));
  EXPECT_FALSE(is_listed("plan.cpp", "SOURCES\n    fit_plan.cpp\n)"));
  EXPECT_FALSE(is_listed("plan.cpp", "SOURCES plan.cpp.in)"));
}

}  // namespace
}  // namespace headroom::tests
