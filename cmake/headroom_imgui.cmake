# Dear ImGui with ImPlot, and GLFW, as the targets headroom::imgui and headroom::glfw. Both come as static libraries
# in one wheel; windows, X11 and OpenGL are loaded when the program runs.

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/deps.lock")
if(HEADROOM_IMGUI_DIR)
  set(imgui_dir "${HEADROOM_IMGUI_DIR}")
else()
  execute_process(COMMAND "${PROJECT_SOURCE_DIR}/tools/setup" --where
    OUTPUT_VARIABLE deps_dir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB imgui_dir "${deps_dir}/*.data/purelib/imgui/install")
endif()
if(NOT EXISTS "${imgui_dir}/lib/libimgui.a")
  message(FATAL_ERROR "No Dear ImGui in '${imgui_dir}'. Run tools/setup first, or set HEADROOM_IMGUI_DIR.")
endif()
message(STATUS "Dear ImGui: ${imgui_dir}")

add_library(headroom_imgui STATIC IMPORTED GLOBAL)
set_target_properties(headroom_imgui PROPERTIES
  IMPORTED_LOCATION "${imgui_dir}/lib/libimgui.a"
  INTERFACE_INCLUDE_DIRECTORIES "${imgui_dir}/include"
  INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}")
add_library(headroom::imgui ALIAS headroom_imgui)

add_library(headroom_glfw STATIC IMPORTED GLOBAL)
set_target_properties(headroom_glfw PROPERTIES
  IMPORTED_LOCATION "${imgui_dir}/lib/libglfw3.a"
  INTERFACE_INCLUDE_DIRECTORIES "${imgui_dir}/include"
  INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
add_library(headroom::glfw ALIAS headroom_glfw)
