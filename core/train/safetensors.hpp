#pragma once
// The safetensors format (huggingface.co/docs/safetensors): 8 bytes little-endian length, a JSON
// header, the tensors' bytes. Types F32, BF16, F16, I64 and U8.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "core/train/staged_model.hpp"

namespace headroom::train {

using TextMap = std::map<std::string, std::string>;

struct SafetensorsContents {
  NamedTensors tensors{};  ///< on the CPU, contiguous
  TextMap metadata{};
};

/// Writes the file atomically (temporary file, fsync, rename) and returns its size in bytes.
/// Tensors go out one by one; beside them at most one contiguous CPU copy exists. Throws
/// base::Error: io, or internal for a type that the format has not.
std::int64_t write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                               const TextMap& metadata);

/// Reads a whole file. Throws base::Error: io when it cannot be read, usage when it is truncated or
/// its header is not valid (size, JSON, a name that stands there twice, types, shapes, offsets that
/// overlap, leave gaps or do not match their shape).
[[nodiscard]] SafetensorsContents read_safetensors(const std::filesystem::path& path);

/// Only its metadata.
[[nodiscard]] TextMap read_safetensors_metadata(const std::filesystem::path& path);

}  // namespace headroom::train
