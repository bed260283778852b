#include "core/train/safetensors.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"

namespace headroom::train {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr const char* kMetadataKey = "__metadata__";
constexpr std::int64_t kLengthBytes = 8;
/// The format's own limit.
constexpr std::int64_t kMaxHeaderBytes = 100'000'000;
constexpr std::size_t kAlignment = 8;

struct TypeName {
  const char* name;
  at::ScalarType type;
};
constexpr std::array<TypeName, 5> kTypes = {{{"F32", at::kFloat},
                                             {"BF16", at::kBFloat16},
                                             {"F16", at::kHalf},
                                             {"I64", at::kLong},
                                             {"U8", at::kByte}}};

/// One tensor as the header states it. Offsets count from the end of the header.
struct Entry {
  std::string name{};
  at::ScalarType type = at::kFloat;
  std::vector<std::int64_t> shape{};
  std::int64_t begin = 0, end = 0;
};

struct Header {
  std::vector<Entry> entries;  ///< by begin
  TextMap metadata;
};

// ---------------------------------------------------------------- writing

const char* type_name(const std::string& name, const at::Tensor& tensor) {
  const auto* found = std::ranges::find(kTypes, tensor.scalar_type(), &TypeName::type);
  if (found == kTypes.end()) {
    throw base::Error(base::ErrorKind::internal,
                      {"writing a safetensors file", name + ": " + toString(tensor.scalar_type()),
                       "tensors of F32, BF16, F16, I64 or U8 can be written"});
  }
  return found->name;
}

using NamedTensor = NamedTensors::value_type;

/// Larger element types first, so that every tensor is aligned to its own.
std::vector<const NamedTensor*> in_file_order(const NamedTensors& tensors) {
  std::vector<const NamedTensor*> order;
  for (const NamedTensor& tensor : tensors) {
    order.push_back(&tensor);
  }
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [](const NamedTensor* t) { return t->second.element_size(); });
  return order;
}

std::string header_text(const std::vector<const NamedTensor*>& order, const TextMap& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) {
    header[kMetadataKey] = metadata;
  }
  std::int64_t offset = 0;
  for (const NamedTensor* entry : order) {
    const auto& [name, tensor] = *entry;
    const std::int64_t end = offset + static_cast<std::int64_t>(tensor.nbytes());
    header[name] = {{"dtype", type_name(name, tensor)},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = base::dump_json(header);
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  return text;
}

// ---------------------------------------------------------------- reading

base::Error broken(const std::filesystem::path& path, const std::string& what) {
  return {base::ErrorKind::usage,
          {"reading a safetensors file", base::display_path(path) + ": " + what,
           "The file is damaged or not of this format: give another one"}};
}

/// A file whose every read is checked.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path) : path_(path) {
    std::error_code problem;
    const auto size = std::filesystem::file_size(path, problem);
    if (problem) {
      throw base::io_error("reading a safetensors file", path, problem.value());
    }
    size_bytes_ = static_cast<std::int64_t>(size);
    stream_.open(path, std::ios::binary);
    if (!stream_) {
      throw base::io_error("reading a safetensors file", path, errno);
    }
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::int64_t size_bytes() const { return size_bytes_; }

  void read(std::int64_t offset, void* to, std::int64_t bytes) {
    stream_.seekg(offset);
    stream_.read(static_cast<char*>(to), bytes);
    if (!stream_ || stream_.gcount() != bytes) {
      throw base::io_error("reading a safetensors file", path_, EIO);
    }
  }

 private:
  std::filesystem::path path_;
  std::int64_t size_bytes_ = 0;
  std::ifstream stream_;
};

/// Whole numbers from 0 to 2^63 - 1.
std::optional<std::vector<std::int64_t>> whole_numbers(const nlohmann::json& object,
                                                       const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) {
    return std::nullopt;
  }
  std::vector<std::int64_t> numbers;
  for (const auto& element : *found) {
    if (!element.is_number_unsigned() ||
        element.get<std::uint64_t>() >
            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return std::nullopt;
    }
    numbers.push_back(element.get<std::int64_t>());
  }
  return numbers;
}

/// Nothing where the product is beyond 2^63 - 1.
std::optional<std::int64_t> byte_count(const Entry& entry) {
  auto bytes = static_cast<std::int64_t>(c10::elementSize(entry.type));
  if (std::ranges::find(entry.shape, 0) != entry.shape.end()) {
    return 0;
  }
  for (const std::int64_t side : entry.shape) {
    if (side > std::numeric_limits<std::int64_t>::max() / bytes) {
      return std::nullopt;
    }
    bytes *= side;
  }
  return bytes;
}

Entry parse_entry(const std::filesystem::path& path, const std::string& name,
                  const nlohmann::json& value) {
  if (!value.is_object()) {
    throw broken(path, name + " is not described by an object");
  }
  Entry entry{.name = name};
  const auto type_text = value.find("dtype");
  const auto* type = kTypes.end();
  if (type_text != value.end() && type_text->is_string()) {
    type = std::ranges::find(kTypes, type_text->get<std::string>(),
                             [](const TypeName& known) { return std::string(known.name); });
  }
  if (type == kTypes.end()) {
    throw broken(path, name + " has a type that is not F32, BF16, F16, I64 or U8");
  }
  entry.type = type->type;
  const auto shape = whole_numbers(value, "shape");
  const auto offsets = whole_numbers(value, "data_offsets");
  if (!shape || !offsets || offsets->size() != 2) {
    throw broken(path, name + " has no valid shape or data_offsets");
  }
  entry.shape = *shape;
  entry.begin = (*offsets)[0];
  entry.end = (*offsets)[1];
  const auto bytes = byte_count(entry);
  if (!bytes || entry.begin > entry.end || entry.end - entry.begin != *bytes) {
    throw broken(path, name + " has data_offsets that do not match its shape");
  }
  return entry;
}

TextMap parse_metadata(const std::filesystem::path& path, const nlohmann::json& value) {
  if (!value.is_object()) {
    throw broken(path, "__metadata__ is no object");
  }
  TextMap metadata;
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) {
      throw broken(path, "__metadata__ holds \"" + key + "\", which is no text");
    }
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

nlohmann::json parse_header_json(const std::filesystem::path& path, const std::string& text) {
  try {
    return base::parse_json_object(text, "reading a safetensors file", "its header");
  } catch (const base::Error& problem) {
    throw broken(path, problem.parts().subject);
  }
}

/// Tensors must fill the `data_bytes` behind the header without gap or overlap.
void check_layout(const std::filesystem::path& path, std::vector<Entry>& entries,
                  std::int64_t data_bytes) {
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.begin, e.end); });
  std::int64_t expected = 0;
  for (const Entry& entry : entries) {
    if (entry.begin != expected) {
      throw broken(path, fmt::format("{} begins at byte {}, the tensor before it ends at {}",
                                     entry.name, entry.begin, expected));
    }
    expected = entry.end;
  }
  if (expected != data_bytes) {
    throw broken(path, fmt::format("it holds {} bytes of tensors, its header describes {}",
                                   data_bytes, expected));
  }
}

/// Leaves in `data_begin` where the tensors begin in the file.
Header read_header(InputFile& file, std::int64_t& data_begin) {
  if (file.size_bytes() < kLengthBytes) {
    throw broken(file.path(), fmt::format("it has {} bytes only", file.size_bytes()));
  }
  std::uint64_t length = 0;
  file.read(0, &length, kLengthBytes);
  const auto most = std::min(kMaxHeaderBytes, file.size_bytes() - kLengthBytes);
  if (length > static_cast<std::uint64_t>(most)) {
    throw broken(file.path(), fmt::format("its header should have {} bytes, at most {} are there",
                                          length, most));
  }
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(kLengthBytes, text.data(), static_cast<std::int64_t>(length));
  data_begin = kLengthBytes + static_cast<std::int64_t>(length);

  Header header;
  const nlohmann::json parsed = parse_header_json(file.path(), text);
  for (const auto& [name, value] : parsed.items()) {
    if (name == kMetadataKey) {
      header.metadata = parse_metadata(file.path(), value);
    } else {
      header.entries.push_back(parse_entry(file.path(), name, value));
    }
  }
  check_layout(file.path(), header.entries, file.size_bytes() - data_begin);
  return header;
}

}  // namespace

std::int64_t write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                               const TextMap& metadata) {
  const auto order = in_file_order(tensors);
  const std::string header = header_text(order, metadata);
  const std::uint64_t length = header.size();
  std::int64_t written = kLengthBytes + static_cast<std::int64_t>(length);
  base::AtomicFile file(path);
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(header);
  for (const NamedTensor* entry : order) {
    const at::Tensor whole = entry->second.detach().cpu().contiguous();
    const auto bytes = whole.nbytes();
    file.write(std::span(static_cast<const std::byte*>(whole.const_data_ptr()), bytes));
    written += static_cast<std::int64_t>(bytes);
  }
  file.commit();
  return written;
}

SafetensorsContents read_safetensors(const std::filesystem::path& path) {
  InputFile file(path);
  std::int64_t data_begin = 0;
  Header header = read_header(file, data_begin);
  SafetensorsContents contents;
  contents.metadata = std::move(header.metadata);
  for (const Entry& entry : header.entries) {
    at::Tensor tensor = at::empty(entry.shape, entry.type);
    if (entry.end > entry.begin) {
      file.read(data_begin + entry.begin, tensor.mutable_data_ptr(), entry.end - entry.begin);
    }
    contents.tensors.emplace(entry.name, std::move(tensor));
  }
  return contents;
}

TextMap read_safetensors_metadata(const std::filesystem::path& path) {
  InputFile file(path);
  std::int64_t data_begin = 0;
  return read_header(file, data_begin).metadata;
}

}  // namespace headroom::train
