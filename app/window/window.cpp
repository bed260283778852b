#include "app/window/window.hpp"

// OpenGL comes from ImGui's loader alone.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#include <imgui_impl_opengl3_loader.h>
#include <implot.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/window/key_order.hpp"
#include "app/window/news_bell.hpp"
#include "app/window/texture_store.hpp"
#include "core/base/error.hpp"

namespace headroom::app {
namespace {

/// What GLFW's callbacks tell; the window's user pointer.
struct Happened {
  bool input = true;  ///< the first frame is due
  bool close = false;
  std::vector<std::filesystem::path> drops{};
};

Happened& happened_in(GLFWwindow* window) {
  return *static_cast<Happened*>(glfwGetWindowUserPointer(window));
}

std::string glfw_problem() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text == nullptr ? "no reason was given" : text;
}

base::Error window_error(const std::string& subject) {
  return {
      base::ErrorKind::usage,
      {.attempted = "opening the window",
       .subject = subject,
       .remedy = "Train without a window (headroom train), or start it where there is a display "
                 "with OpenGL 3"}};
}

/// GLFW's own life: one window, one user.
class Library {
 public:
  explicit Library(WindowKind kind) {
    // Software rendering stays on the thread that draws, whose time is counted and limited.
    setenv("LP_NUM_THREADS", "0", 0);
    glfwInitHint(GLFW_PLATFORM,
                 kind == WindowKind::offscreen ? GLFW_PLATFORM_NULL : GLFW_ANY_PLATFORM);
    if (glfwInit() != GLFW_TRUE) throw window_error(glfw_problem());
  }
  ~Library() { glfwTerminate(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

GLFWwindow* make_window(const WindowOptions& options) {
  if (options.kind == WindowKind::offscreen)
    glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_OSMESA_CONTEXT_API);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, options.kind == WindowKind::offscreen ? 0 : 3);
  if (options.kind == WindowKind::on_screen)
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  GLFWwindow* const window =
      glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
  if (window == nullptr) throw window_error(glfw_problem());
  glfwMakeContextCurrent(window);
  if (imgl3wInit2(glfwGetProcAddress) != 0) {
    glfwDestroyWindow(window);
    throw window_error("OpenGL 3 is not there");
  }
  return window;
}

/// ImGui's backend, installed after these, calls them too.
void watch_input(GLFWwindow* window) {
  glfwSetCursorPosCallback(window,
                           [](GLFWwindow* w, double, double) { happened_in(w).input = true; });
  glfwSetMouseButtonCallback(window,
                             [](GLFWwindow* w, int, int, int) { happened_in(w).input = true; });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { happened_in(w).input = true; });
  glfwSetKeyCallback(window,
                     [](GLFWwindow* w, int, int, int, int) { happened_in(w).input = true; });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned) { happened_in(w).input = true; });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { happened_in(w).input = true; });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { happened_in(w).input = true; });
  glfwSetFramebufferSizeCallback(window,
                                 [](GLFWwindow* w, int, int) { happened_in(w).input = true; });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { happened_in(w).input = true; });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) {
    happened_in(w).close = true;
    glfwSetWindowShouldClose(w, GLFW_FALSE);
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    for (int i = 0; i < count; ++i) happened_in(w).drops.emplace_back(paths[i]);
    happened_in(w).input = true;
  });
}

std::string gl_text(GLenum what) {
  const auto* const text = reinterpret_cast<const char*>(glGetString(what));
  return text == nullptr ? std::string("unknown") : std::string(text);
}

bool is_software(std::string renderer) {
  std::transform(renderer.begin(), renderer.end(), renderer.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* const name : {"llvmpipe", "softpipe", "swrast", "software", "osmesa"}) {
    if (renderer.find(name) != std::string::npos) return true;
  }
  return false;
}

/// What was drawn and not shown yet: after the swap of buffers it is not defined any more.
base::Image read_picture(int width, int height) {
  std::vector<std::byte> rgba(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                              4);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  base::Image image{.height = height, .width = width, .channels = 3};
  image.pixels.reserve(rgba.size() / 4 * 3);
  for (int y = height - 1; y >= 0; --y) {
    for (int x = 0; x < width; ++x) {
      const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                       static_cast<std::size_t>(x)) *
                      4;
      image.pixels.insert(image.pixels.end(), {rgba[at], rgba[at + 1], rgba[at + 2]});
    }
  }
  return image;
}

}  // namespace

bool has_display() {
  const auto is_set = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

struct Window::Parts {
  explicit Parts(const WindowOptions& options)
      : library(options.kind),
        window(make_window(options)),
        kind(options.kind),
        forced_scale(options.scale),
        layout_file(options.layout_file.string()) {
    glfwSetWindowUserPointer(window, &happened);
    watch_input(window);
    renderer = gl_text(GL_RENDERER);
    software = is_software(renderer);
    glfwSwapInterval(software ? 0 : 1);
    imgui = ImGui::CreateContext();
    implot = ImPlot::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = layout_file.empty() ? nullptr : layout_file.c_str();
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigErrorRecoveryEnableAssert = false;
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    ImGui_ImplOpenGL3_Init(options.kind == WindowKind::offscreen ? "#version 130" : "#version 150");
    textures = std::make_unique<TextureStore>();
  }
  ~Parts() {
    textures.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImPlot::DestroyContext(implot);
    ImGui::DestroyContext(imgui);
    glfwDestroyWindow(window);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  Library library;
  GLFWwindow* window;
  WindowKind kind;
  float forced_scale;
  std::string layout_file;
  Happened happened{};
  NewsBell bell{};
  KeyOrder key_order{};
  bool keeps_picture = false;
  base::Image picture{};
  ImGuiContext* imgui = nullptr;
  ImPlotContext* implot = nullptr;
  std::string renderer{};
  bool software = false;
  std::unique_ptr<TextureStore> textures{};
};

Window::Window(const WindowOptions& options) : parts_(std::make_unique<Parts>(options)) {}
Window::~Window() = default;

void Window::wait(double seconds) {
  if (parts_->kind == WindowKind::offscreen) {
    // Nobody moves a mouse there, and GLFW would not wait.
    if (seconds > 0) parts_->bell.wait(seconds);
  } else if (seconds > 0) {
    glfwWaitEventsTimeout(seconds);
  } else {
    glfwPollEvents();
  }
}

void Window::wake() {
  if (parts_->kind == WindowKind::offscreen) {
    parts_->bell.ring();
  } else {
    glfwPostEmptyEvent();
  }
}

bool Window::take_input() {
  return std::exchange(parts_->happened.input, false) || has_waiting_input();
}
bool Window::take_close() { return std::exchange(parts_->happened.close, false); }
std::vector<std::filesystem::path> Window::take_drops() {
  return std::exchange(parts_->happened.drops, {});
}

bool Window::is_hidden() const {
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(parts_->window, &width, &height);
  return width <= 0 || height <= 0 ||
         glfwGetWindowAttrib(parts_->window, GLFW_ICONIFIED) == GLFW_TRUE;
}

float Window::scale() const {
  if (parts_->forced_scale > 0) return parts_->forced_scale;
  if (parts_->kind == WindowKind::offscreen) return 1;
  return std::clamp(ImGui_ImplGlfw_GetContentScaleForWindow(parts_->window), 0.75F, 4.0F);
}

ui::TextureSource& Window::textures() { return *parts_->textures; }
const std::string& Window::renderer() const { return parts_->renderer; }
bool Window::renders_in_software() const { return parts_->software; }

void Window::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  parts_->key_order.hold_back();
  ImGui::NewFrame();
  parts_->key_order.give_back();
}

void Window::end_frame() {
  ImGui::Render();
  int width = 0;
  int height = 0;
  glfwGetFramebufferSize(parts_->window, &width, &height);
  glViewport(0, 0, width, height);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  parts_->textures->end_frame();
  if (parts_->keeps_picture) parts_->picture = read_picture(width, height);
  if (parts_->kind == WindowKind::on_screen) glfwSwapBuffers(parts_->window);
}

void Window::keep_picture(bool on) { parts_->keeps_picture = on; }
base::Image Window::picture() const { return parts_->picture; }

}  // namespace headroom::app
