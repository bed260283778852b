#include "core/formats/dicom_header.hpp"

#include <gtest/gtest.h>

#include "tests/core/formats/dicom_files.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::formats {
namespace {

TEST(ReadDicomHeader, PatientAndSeries_ComeWithoutTheirPadding) {
  const tests::TemporaryFolder folder;
  // Texts of odd length are stored with a space behind, identifiers with a NUL.
  tests::write_dicom(folder / "a.dcm", {.series = "1.2.840.7", .patient = "ANON-7"},
                     std::string(2, '\1'));
  tests::write_dicom(folder / "b.dcm", {.series = "1.2.84", .patient = "ANON-17"},
                     std::string(2, '\1'));
  EXPECT_EQ(read_dicom_header(folder / "a.dcm").value().patient, "ANON-7");
  EXPECT_EQ(read_dicom_header(folder / "a.dcm").value().series, "1.2.840.7");
  EXPECT_EQ(read_dicom_header(folder / "b.dcm").value().patient, "ANON-17");
  EXPECT_EQ(read_dicom_header(folder / "b.dcm").value().series, "1.2.84");
}

TEST(ReadDicomHeader, WithoutTagOrDicom_TellsNone) {
  const tests::TemporaryFolder folder;
  tests::write_dicom(folder / "a.dcm", {}, std::string(2, '\1'));
  tests::write_text(folder / "b.dcm", "no DICOM");
  EXPECT_EQ(read_dicom_header(folder / "a.dcm").value().patient, "");
  EXPECT_FALSE(read_dicom_header(folder / "b.dcm"));
  EXPECT_FALSE(read_dicom_header(folder / "none.dcm"));
}

}  // namespace
}  // namespace headroom::formats
