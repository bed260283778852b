# Debian's libraries. Nothing is searched for outside the system.

find_package(Threads REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
if(HEADROOM_WITH_TORCH AND (HEADROOM_WITH_APP OR HEADROOM_WITH_TESTS))
  find_package(CLI11 CONFIG REQUIRED)
endif()
if(NOT HEADROOM_WITH_APP)
  return()
endif()

find_package(GDAL CONFIG REQUIRED)
find_package(ZLIB REQUIRED)
find_package(yaml-cpp CONFIG REQUIRED)

find_path(HEADROOM_NIFTI_INCLUDE nifti2_io.h PATH_SUFFIXES nifti REQUIRED)
find_library(HEADROOM_NIFTI nifti2 REQUIRED)
mark_as_advanced(HEADROOM_NIFTI_INCLUDE HEADROOM_NIFTI)
add_library(nifti::nifti2 SHARED IMPORTED)
set_target_properties(nifti::nifti2 PROPERTIES
  IMPORTED_LOCATION "${HEADROOM_NIFTI}"
  INTERFACE_INCLUDE_DIRECTORIES "${HEADROOM_NIFTI_INCLUDE}")

# GDCM's own configuration asks for the packages of its tools and of its bindings.
find_path(HEADROOM_GDCM_INCLUDE gdcmImageReader.h PATH_SUFFIXES gdcm-3.0 REQUIRED)
mark_as_advanced(HEADROOM_GDCM_INCLUDE)
add_library(gdcm::gdcm INTERFACE IMPORTED)
target_include_directories(gdcm::gdcm INTERFACE "${HEADROOM_GDCM_INCLUDE}")
foreach(part gdcmMSFF gdcmDSED gdcmDICT gdcmCommon)
  find_library(HEADROOM_${part} ${part} REQUIRED)
  mark_as_advanced(HEADROOM_${part})
  target_link_libraries(gdcm::gdcm INTERFACE "${HEADROOM_${part}}")
endforeach()

# OpenCV's own configuration comes with the package of all its modules.
find_path(HEADROOM_OPENCV_INCLUDE opencv2/core.hpp PATH_SUFFIXES opencv4 REQUIRED)
mark_as_advanced(HEADROOM_OPENCV_INCLUDE)
add_library(opencv::opencv INTERFACE IMPORTED)
target_include_directories(opencv::opencv INTERFACE "${HEADROOM_OPENCV_INCLUDE}")
foreach(part opencv_imgproc opencv_core)
  find_library(HEADROOM_${part} ${part} REQUIRED)
  mark_as_advanced(HEADROOM_${part})
  target_link_libraries(opencv::opencv INTERFACE "${HEADROOM_${part}}")
endforeach()

if(HEADROOM_WITH_TESTS)
  find_package(LibXml2 REQUIRED)
endif()

find_path(HEADROOM_XXHASH_INCLUDE xxhash.h REQUIRED)
find_library(HEADROOM_XXHASH xxhash REQUIRED)
mark_as_advanced(HEADROOM_XXHASH_INCLUDE HEADROOM_XXHASH)
add_library(xxhash::xxhash SHARED IMPORTED)
set_target_properties(xxhash::xxhash PROPERTIES
  IMPORTED_LOCATION "${HEADROOM_XXHASH}"
  INTERFACE_INCLUDE_DIRECTORIES "${HEADROOM_XXHASH_INCLUDE}")
