#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/memory/meter.hpp"
#include "core/train/safetensors.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::train {
namespace {

using tests::TemporaryFolder;

std::string file_bytes(const std::string& header, const std::string& tensors) {
  const std::uint64_t length = header.size();
  std::string bytes(sizeof(length), '\0');
  std::memcpy(bytes.data(), &length, sizeof(length));
  return bytes + header + tensors;
}

TEST(Safetensors, EveryType_ReadsBackBitByBit) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "every type ü.safetensors";
  const NamedTensors tensors = {
      {"f32", at::randn({3, 5})},
      {"bf16", at::randn({7}).to(at::kBFloat16)},
      {"f16", at::randn({2, 2}).to(at::kHalf)},
      {"i64", at::arange(6, at::kLong)},
      {"u8", at::arange(5, at::kByte)},
      {"scalar", at::full({}, 2.5F)},
      {"empty", at::empty({0, 4})},
      {"strided", at::randn({2, 3, 4, 4}).contiguous(at::MemoryFormat::ChannelsLast)}};
  const TextMap metadata = {{"name", "value"}, {"quoted", "{\"a\": \"ü\"}"}};
  const std::int64_t written = write_safetensors(path, tensors, metadata);
  EXPECT_EQ(written, static_cast<std::int64_t>(std::filesystem::file_size(path)));
  const SafetensorsContents contents = read_safetensors(path);
  EXPECT_EQ(contents.metadata, metadata);
  EXPECT_EQ(read_safetensors_metadata(path), metadata);
  ASSERT_EQ(contents.tensors.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor& read = contents.tensors.at(name);
    EXPECT_EQ(read.scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(at::equal(read, tensor)) << name;
  }
}

TEST(Safetensors, Layout_FollowsTheSpecification) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.safetensors";
  write_safetensors(path, {{"b", at::tensor({1, 2}, at::kByte)}, {"a", at::tensor({3}, at::kLong)}},
                    {});
  const std::string bytes = base::read_file(path);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof(length));
  EXPECT_EQ(length % 8, 0);
  const std::string header = bytes.substr(8, length);
  EXPECT_EQ(header.substr(0, header.find_last_not_of(' ') + 1),
            R"({"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]},)"
            R"("b":{"dtype":"U8","shape":[2],"data_offsets":[8,10]}})");
  EXPECT_EQ(bytes.substr(8 + length), std::string("\3\0\0\0\0\0\0\0\1\2", 10));
}

TEST(Safetensors, Writing_KeepsAtMostOneCopyOfATensor) {
  const TemporaryFolder folder;
  NamedTensors tensors;
  for (int i = 0; i < 4; ++i) {
    tensors["t" + std::to_string(i)] =
        at::zeros({4, 4, 32, 32}).contiguous(at::MemoryFormat::ChannelsLast);
  }
  memory::MemoryMeter& meter = memory::meter_of(c10::kCPU);
  meter.begin_window();
  write_safetensors(folder.path() / "a.safetensors", tensors, {});
  const auto reading = meter.reading();
  EXPECT_LE(reading.peak_bytes - reading.live_before_bytes, 4 * 4 * 32 * 32 * 4);
}

TEST(Safetensors, TypeThatTheFormatHasNot_IsAnInternalErrorAndNoFile) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.safetensors";
  const auto error = tests::thrown_error([&] {
                       write_safetensors(path, {{"a", at::zeros({2}, at::kDouble)}}, {});
                     }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::internal);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Safetensors, MissingFile_IsAnIoErrorNamingIt) {
  const TemporaryFolder folder;
  const auto error = tests::thrown_error([&] {
                       (void)read_safetensors(folder.path() / "none.safetensors");
                     }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::io);
  EXPECT_NE(std::string(error.what()).find("none.safetensors"), std::string::npos);
}

struct BrokenFile {
  const char* name;
  std::string bytes;
};

std::string one_tensor(const std::string& fields) {
  return file_bytes("{\"a\":{" + fields + "}}", std::string(8, 'x'));
}

class SafetensorsBroken : public testing::TestWithParam<BrokenFile> {};
INSTANTIATE_TEST_SUITE_P(
    Files, SafetensorsBroken,
    testing::Values(
        BrokenFile{"Empty", ""}, BrokenFile{"SevenBytes", std::string(7, '\0')},
        BrokenFile{"HeaderLongerThanFile", std::string("\xff\0\0\0\0\0\0\0{}", 10)},
        BrokenFile{"HugeHeader", std::string(8, '\xff') + "{}"},
        BrokenFile{"NotJson", file_bytes("{\"a\":", "")},
        BrokenFile{"NoObject", file_bytes("[]", "")},
        BrokenFile{"NotUtf8", file_bytes("{\"\xff\":1}", "")},
        BrokenFile{"EntryIsNoObject", file_bytes("{\"a\":3}", "")},
        BrokenFile{"MetadataNotText", file_bytes("{\"__metadata__\":{\"k\":1}}", "")},
        BrokenFile{"MetadataNoObject", file_bytes("{\"__metadata__\":\"k\"}", "")},
        BrokenFile{"UnknownType", one_tensor(R"("dtype":"F8","shape":[8],"data_offsets":[0,8])")},
        BrokenFile{"NoType", one_tensor(R"("shape":[2],"data_offsets":[0,8])")},
        BrokenFile{"NegativeShape",
                   one_tensor(R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])")},
        BrokenFile{"FractionalShape",
                   one_tensor(R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])")},
        BrokenFile{
            "ShapeOverflows",
            one_tensor(
                R"("dtype":"F32","shape":[4611686018427387904,4611686018427387904],"data_offsets":[0,8])")},
        BrokenFile{
            "OffsetBeyond64Bits",
            one_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615])")},
        BrokenFile{"OffsetsReversed",
                   one_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])")},
        BrokenFile{"ThreeOffsets",
                   one_tensor(R"("dtype":"F32","shape":[2],"data_offsets":[0,8,8])")},
        BrokenFile{"ShapeAndOffsetsDiffer",
                   one_tensor(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])")},
        BrokenFile{"DataTruncated",
                   file_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", "xxxx")},
        BrokenFile{"DataTooLong",
                   file_bytes(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "xxxx")},
        BrokenFile{"Gap",
                   file_bytes(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})", "xxxx")},
        BrokenFile{"Overlap", file_bytes(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
                                         R"("b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
                                         "xxxx")},
        BrokenFile{"NameTwice",
                   file_bytes(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                              R"("a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
                              "xxxx")}),
    [](const auto& broken) { return std::string(broken.param.name); });

TEST_P(SafetensorsBroken, File_IsRefusedNamingIt) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "broken.safetensors";
  base::write_file_atomically(path, GetParam().bytes);
  const auto error = tests::thrown_error([&] { (void)read_safetensors(path); }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::usage);
  EXPECT_NE(error.parts().subject.find("broken.safetensors"), std::string::npos);
}

TEST(Safetensors, TruncatedAtAnyByte_IsRefused) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.safetensors";
  write_safetensors(path, {{"a", at::randn({3})}, {"b", at::arange(2, at::kLong)}}, {{"k", "v"}});
  const std::string whole = base::read_file(path);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    base::write_file_atomically(path, std::string_view(whole).substr(0, size));
    EXPECT_THROW((void)read_safetensors(path), base::Error) << size;
  }
}

}  // namespace
}  // namespace headroom::train
