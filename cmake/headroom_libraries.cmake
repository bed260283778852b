# Debian's libraries. Nothing is searched for outside the system.

find_package(Threads REQUIRED)
find_package(fmt CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(GDAL CONFIG REQUIRED)
if(HEADROOM_WITH_TORCH)
  find_package(CLI11 CONFIG REQUIRED)
endif()

# OpenCV's own package file comes with all of its modules' development packages; two modules are used.
find_path(HEADROOM_OPENCV_INCLUDE opencv2/core.hpp PATH_SUFFIXES opencv4 REQUIRED)
mark_as_advanced(HEADROOM_OPENCV_INCLUDE)
foreach(module core imgproc)
  find_library(HEADROOM_OPENCV_${module} opencv_${module} REQUIRED)
  mark_as_advanced(HEADROOM_OPENCV_${module})
  add_library(opencv::${module} SHARED IMPORTED)
  set_target_properties(opencv::${module} PROPERTIES
    IMPORTED_LOCATION "${HEADROOM_OPENCV_${module}}"
    INTERFACE_INCLUDE_DIRECTORIES "${HEADROOM_OPENCV_INCLUDE}")
endforeach()
set_property(TARGET opencv::imgproc APPEND PROPERTY INTERFACE_LINK_LIBRARIES opencv::core)

find_path(HEADROOM_XXHASH_INCLUDE xxhash.h REQUIRED)
find_library(HEADROOM_XXHASH xxhash REQUIRED)
mark_as_advanced(HEADROOM_XXHASH_INCLUDE HEADROOM_XXHASH)
add_library(xxhash::xxhash SHARED IMPORTED)
set_target_properties(xxhash::xxhash PROPERTIES
  IMPORTED_LOCATION "${HEADROOM_XXHASH}"
  INTERFACE_INCLUDE_DIRECTORIES "${HEADROOM_XXHASH_INCLUDE}")
