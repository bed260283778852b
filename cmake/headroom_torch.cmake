# LibTorch as the target headroom::torch, and the precompiled header that the units using it share.

if(HEADROOM_TORCH_DIR)
  set(torch_dir "${HEADROOM_TORCH_DIR}")
else()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/tools/deps.lock")
  execute_process(COMMAND "${PROJECT_SOURCE_DIR}/tools/setup" --where
    OUTPUT_VARIABLE deps_dir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(torch_dir "${deps_dir}/torch")
endif()
if(NOT EXISTS "${torch_dir}/lib/libtorch_cpu.so")
  message(FATAL_ERROR "No LibTorch in ${torch_dir}. Run tools/setup first, or set HEADROOM_TORCH_DIR.")
endif()
message(STATUS "LibTorch: ${torch_dir}")

add_library(headroom_c10 SHARED IMPORTED GLOBAL)
set_target_properties(headroom_c10 PROPERTIES IMPORTED_LOCATION "${torch_dir}/lib/libc10.so")
add_library(headroom_torch_cpu SHARED IMPORTED GLOBAL)
set_target_properties(headroom_torch_cpu PROPERTIES
  IMPORTED_LOCATION "${torch_dir}/lib/libtorch_cpu.so")

add_library(headroom_torch INTERFACE)
add_library(headroom::torch ALIAS headroom_torch)
# LibTorch's folder has a newer fmt in it than the system's, which our layers and spdlog are compiled with:
# a folder in front of it holds nothing but the system's.
get_target_property(fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/system_fmt")
file(CREATE_LINK "${fmt_include}/fmt" "${PROJECT_BINARY_DIR}/system_fmt/fmt" SYMBOLIC)
target_include_directories(headroom_torch SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/system_fmt"
  "${torch_dir}/include" "${torch_dir}/include/torch/csrc/api/include")
# The libraries' own needs (CUDA's runtime) are found through their run paths when the program starts.
target_link_options(headroom_torch INTERFACE
  LINKER:--no-as-needed LINKER:--allow-shlib-undefined)
target_link_libraries(headroom_torch INTERFACE headroom_torch_cpu headroom_c10 Threads::Threads)

# CUDA's headers come with the runtime's wheel, beside torch.
set(HEADROOM_CUDA_INCLUDE "")
if(HEADROOM_CUDA_DIR)
  set(cuda_dir "${HEADROOM_CUDA_DIR}")
else()
  get_filename_component(cuda_dir "${torch_dir}/../nvidia/cu13" ABSOLUTE)
endif()
find_file(HEADROOM_CUDART libcudart.so.13 PATHS "${cuda_dir}/lib" "${cuda_dir}/lib64" NO_DEFAULT_PATH)
mark_as_advanced(HEADROOM_CUDART)
if(EXISTS "${cuda_dir}/include/cuda_runtime_api.h" AND HEADROOM_CUDART
   AND EXISTS "${torch_dir}/lib/libc10_cuda.so")
  set(HEADROOM_CUDA_INCLUDE "${cuda_dir}/include")
  set(HEADROOM_C10_CUDA "${torch_dir}/lib/libc10_cuda.so")
endif()

# Just what most units need: with all of <torch/torch.h> in it, g++ would instantiate that header's deferred templates
# anew in every unit, which takes five times as long as loading these two.
add_library(headroom_torch_pch OBJECT "${PROJECT_SOURCE_DIR}/cmake/torch_pch.cpp")
target_link_libraries(headroom_torch_pch PRIVATE headroom::torch headroom_options)
target_precompile_headers(headroom_torch_pch PRIVATE <ATen/ATen.h> <torch/nn/module.h>)

# headroom_use_torch(TARGET): links LibTorch and takes part in the precompiled header.
function(headroom_use_torch target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE" OR type STREQUAL "OBJECT_LIBRARY")
    target_link_libraries(${target} PRIVATE headroom::torch)
  else()
    target_link_libraries(${target} PUBLIC headroom::torch)
  endif()
  # The compiler takes a precompiled header only where the kind of position independence is the same.
  if(type STREQUAL "EXECUTABLE")
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
    # The CUDA side is loaded by name, from the build folder's root.
    set_target_properties(${target} PROPERTIES BUILD_RPATH "${PROJECT_BINARY_DIR}")
    if(TARGET headroom_cuda)
      add_dependencies(${target} headroom_cuda)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM headroom_torch_pch)
endfunction()
