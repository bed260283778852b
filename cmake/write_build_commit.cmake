# Run at build time: writes OUTPUT with the commit of SOURCE, and touches it only when it changed.
cmake_minimum_required(VERSION 3.25)
set(commit "unknown")
if(EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit "${described}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define HEADROOM_BUILD_COMMIT \"@commit@\"\n" @ONLY)
