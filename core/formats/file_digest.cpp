#include "core/formats/file_digest.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <fstream>
#include <string_view>
#include <utility>

#include "core/base/io_error.hpp"

namespace headroom::formats {

namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

}  // namespace

ContentHasher::ContentHasher()
    : state_(XXH3_createState(), [](XXH3_state_s* state) { XXH3_freeState(state); }) {
  XXH3_128bits_reset(state_.get());
}

void ContentHasher::add(std::string_view bytes) {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

std::string ContentHasher::hex() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

FileDigest digest_file(const std::filesystem::path& file, std::string name) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw base::io_error("reading the file", file, errno);
  FileDigest digest{.name = std::move(name)};
  ContentHasher hasher;
  std::string chunk(kChunkBytes, '\0');
  while (stream.good()) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    hasher.add(std::string_view(chunk).substr(0, static_cast<std::size_t>(stream.gcount())));
    digest.size_bytes += stream.gcount();
  }
  if (stream.bad()) throw base::io_error("reading the file", file, errno);
  digest.hash = hasher.hex();
  return digest;
}

std::string digest_text(std::string_view text) {
  ContentHasher hasher;
  hasher.add(text);
  return hasher.hex();
}

std::string combine_digests(const std::vector<FileDigest>& files) {
  ContentHasher hasher;
  for (const FileDigest& file : files) {
    hasher.add(fmt::format("{}\n{} {}\n", file.name, file.size_bytes, file.hash));
  }
  return hasher.hex();
}

}  // namespace headroom::formats
