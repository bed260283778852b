#pragma once
// Generated data sets: pictures drawn from shapes, so that their masks are exact. For first trials,
// demonstrations and tests.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/image.hpp"

namespace headroom::formats {

enum class SampleKind { aerial, retina, cells };

[[nodiscard]] const char* name_of(SampleKind kind);

struct GenerateOptions {
  SampleKind kind = SampleKind::aerial;
  std::int64_t count = 24;
  std::int64_t size = 512;  ///< height and width, pixels; at least 64
  std::int64_t seed = 0;
  std::int64_t threads = 2;
};

struct GeneratedSample {
  base::Image image{};        ///< u8, 3 channels
  base::LabelImage labels{};  ///< ids in the order of class_names_of
};

/// Classes by id: aerial {land, vegetation, water, road, building}, retina {background, vessel,
/// disc, lesion}, cells {background, nucleus}.
[[nodiscard]] std::vector<std::string> class_names_of(SampleKind kind);

/// Picture number `index` of the set; a function of kind, size, seed and index alone.
[[nodiscard]] GeneratedSample generate_sample(const GenerateOptions& options, std::int64_t index);

/// Writes images/NNN.png, masks/NNN.png (class ids) and classes.json (a mapping for --mapping) into
/// `folder`, which must be new or empty. Throws Error: usage for a folder that is not empty or a
/// value out of range, io when writing fails, interrupted.
void generate_sample_set(const GenerateOptions& options, const std::filesystem::path& folder,
                         std::stop_token stop = {});

}  // namespace headroom::formats
