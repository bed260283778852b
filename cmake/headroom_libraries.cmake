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
