#include "core/formats/dicom_origin.hpp"

#include <gtest/gtest.h>

#include "tests/core/formats/dicom_files.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::formats {
namespace {

TEST(ReadDicomOrigin, Tags_ComeWithoutTheirPadding) {
  const tests::TemporaryFolder folder;
  // Texts of odd length are stored with a space behind, identifiers with a NUL.
  tests::write_dicom(folder / "a.dcm", {.series = "1.2.840.7", .patient = "ANON-7"},
                     std::string(2, '\1'));
  tests::write_dicom(folder / "b.dcm", {.series = "1.2.84", .patient = "ANON-17"},
                     std::string(2, '\1'));
  EXPECT_EQ(read_dicom_origin(folder / "a.dcm").patient, "ANON-7");
  EXPECT_EQ(read_dicom_origin(folder / "a.dcm").series, "1.2.840.7");
  EXPECT_EQ(read_dicom_origin(folder / "b.dcm").patient, "ANON-17");
  EXPECT_EQ(read_dicom_origin(folder / "b.dcm").series, "1.2.84");
}

TEST(ReadDicomOrigin, WithoutTagsOrDicom_IsEmpty) {
  const tests::TemporaryFolder folder;
  tests::write_dicom(folder / "a.dcm", {}, std::string(2, '\1'));
  tests::write_text(folder / "b.dcm", "no DICOM");
  EXPECT_EQ(read_dicom_origin(folder / "a.dcm").patient, "");
  EXPECT_EQ(read_dicom_origin(folder / "b.dcm").series, "");
  EXPECT_EQ(read_dicom_origin(folder / "none.dcm").series, "");
}

}  // namespace
}  // namespace headroom::formats
