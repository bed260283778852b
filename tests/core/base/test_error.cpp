#include <gtest/gtest.h>

#include <cerrno>

#include "core/base/error.hpp"
#include "core/base/finding.hpp"
#include "core/base/image.hpp"
#include "core/base/io_error.hpp"

namespace headroom::base {
namespace {

TEST(Error, AllParts_OneLineInOrder) {
  const Error error(ErrorKind::unusable_data, {.attempted = "reading the mask",
                                               .subject = "masks/a.png: 64x64, its image is 65x64",
                                               .remedy = "give a mask of the image's size",
                                               .detail = "not shown"});
  EXPECT_STREQ(error.what(),
               "reading the mask: masks/a.png: 64x64, its image is 65x64. give a mask of the "
               "image's size");
}

TEST(Error, MissingParts_LeaveNoSeparators) {
  const Error error(ErrorKind::internal, {.attempted = "", .subject = "b", .remedy = ""});
  EXPECT_STREQ(error.what(), "b");
}

TEST(Error, EachKind_HasTheExitCodeOfTheCommandLine) {
  const auto code = [](ErrorKind kind) {
    return Error(kind, {.attempted = "a", .subject = "b", .remedy = "c"}).exit_code();
  };
  EXPECT_EQ(code(ErrorKind::internal), 1);
  EXPECT_EQ(code(ErrorKind::usage), 2);
  EXPECT_EQ(code(ErrorKind::unusable_data), 3);
  EXPECT_EQ(code(ErrorKind::out_of_memory), 4);
  EXPECT_EQ(code(ErrorKind::io), 5);
  EXPECT_EQ(code(ErrorKind::interrupted), 130);
}

TEST(IoError, DiskFull_NamesFileReasonAndRemedy) {
  const Error error = io_error("writing the model", "/runs/a/model.bin", ENOSPC);
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_EQ(error.parts().subject, "/runs/a/model.bin: No space left on device");
  EXPECT_NE(error.parts().remedy.find("space"), std::string::npos);
}

TEST(DisplayPath, InvalidUtf8_IsReplacedAndTheRestStays) {
  EXPECT_EQ(display_path("a b/größe\xFF.png"), "a b/größe\xEF\xBF\xBD.png");
}

TEST(PixelType, EachType_HasItsSizeAndName) {
  EXPECT_EQ(bytes_of(PixelType::u8), 1);
  EXPECT_EQ(bytes_of(PixelType::i16), 2);
  EXPECT_EQ(bytes_of(PixelType::u32), 4);
  EXPECT_EQ(bytes_of(PixelType::f32), 4);
  EXPECT_EQ(bytes_of(PixelType::f64), 8);
  EXPECT_STREQ(name_of(PixelType::u16), "uint16");
  EXPECT_STREQ(name_of(PixelType::f64), "float64");
}

TEST(Severity, EachOne_HasTheNameOfTheJsonContract) {
  EXPECT_STREQ(name_of(Severity::info), "info");
  EXPECT_STREQ(name_of(Severity::warning), "warning");
  EXPECT_STREQ(name_of(Severity::error), "error");
}

}  // namespace
}  // namespace headroom::base
