# How everything of ours is compiled: an interface target that each of our targets links privately.

add_library(headroom_warnings INTERFACE)
target_compile_options(headroom_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
  $<$<BOOL:${HEADROOM_WERROR}>:-Werror>)

add_library(headroom_options INTERFACE)
target_compile_features(headroom_options INTERFACE cxx_std_20)
target_link_libraries(headroom_options INTERFACE headroom_warnings)
if(HEADROOM_SANITIZE)
  target_compile_options(headroom_options INTERFACE
    -fsanitize=${HEADROOM_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(headroom_options INTERFACE -fsanitize=${HEADROOM_SANITIZE})
endif()
if(HEADROOM_FUZZ)
  target_compile_options(headroom_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Precompiled headers need these liberties of ccache; they are not read from the user's settings.
find_program(HEADROOM_CCACHE ccache)
mark_as_advanced(HEADROOM_CCACHE)
if(HEADROOM_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    "${HEADROOM_CCACHE}")
endif()
