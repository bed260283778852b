// Annotation documents: whatever they hold becomes problems of entries, and what is left can be
// painted, or is refused with an Error.

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/formats/annotation_coco.hpp"
#include "core/formats/annotation_labelme.hpp"
#include "core/formats/annotation_paint.hpp"
#include "core/formats/annotation_yolo.hpp"
#include "core/formats/json_members.hpp"
#include "core/formats/run_lengths.hpp"
#include "tests/fuzz/fuzz_input.hpp"

namespace {

using namespace headroom;

void paint(const formats::AnnotationDocument& document) {
  constexpr std::int64_t kHeight = 13, kWidth = 17;
  (void)document.problems.findings(document.file);
  for (const formats::AnnotatedImage& image : document.images) {
    (void)image.problems.findings(document.file);
    try {
      const auto painted = formats::paint_annotations(
          image, [](const formats::Annotation&) { return std::uint16_t{1}; }, {kHeight, kWidth},
          {.left = 2, .top = 1, .width = kWidth - 3, .height = kHeight - 2});
      fuzz::require(painted.codes.width == kWidth - 3);
    } catch (const base::Error& error) {
      fuzz::require(error.kind() == base::ErrorKind::unusable_data);
    }
  }
}

void parse_json(const std::string& text) {
  nlohmann::json json;
  try {
    json = base::parse_json_object(text, "reading", "file.json");
  } catch (const base::Error& error) {
    fuzz::require(error.kind() == base::ErrorKind::usage);
    return;
  }
  if (formats::is_coco(json)) paint(formats::parse_coco(json, "file.json"));
  if (formats::is_labelme(json)) paint(formats::parse_labelme(json, "file.json"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  parse_json(text);
  if (formats::is_yolo(text)) paint(formats::parse_yolo(text, "labels/a.txt", {"a", "b"}));
  (void)formats::parse_start_length_pairs(text);
  if (const auto counts = formats::parse_compressed_counts(text)) {
    constexpr std::int64_t kPixels = 1000;
    std::int64_t end = 0;
    for (const auto& run :
         formats::runs_of_counts(*counts, kPixels).value_or(std::vector<formats::ColumnRun>{})) {
      fuzz::require(run.first >= end && run.length > 0);
      end = run.first + run.length;
    }
    fuzz::require(end <= kPixels);
  }
  return 0;
}
