#include "tests/ui/headless_dashboard.hpp"

#include <imgui_internal.h>

#include <ctime>
#include <stdexcept>
#include <utility>

namespace headroom::tests {
namespace {

/// What a renderer would do with the textures that ImGui itself asks for.
void answer_texture_requests() {
  const ImDrawData* const drawn = ImGui::GetDrawData();
  if (drawn == nullptr || drawn->Textures == nullptr) return;
  for (ImTextureData* const texture : *drawn->Textures) {
    if (texture->Status == ImTextureStatus_WantCreate) texture->SetTexID(1);
    if (texture->Status == ImTextureStatus_WantDestroy) {
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    } else {
      texture->SetStatus(ImTextureStatus_OK);
    }
  }
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

const ui::ProbedItem* RecordingProbe::find(std::string_view name) const {
  for (const ui::ProbedItem& item : items_) {
    if (item.name == name) return &item;
  }
  return nullptr;
}

ImTextureID CountingTextures::do_texture_of(const ui::SharedPicture& picture, ui::Enlarge) {
  return numbers_.try_emplace(picture.get(), numbers_.size() + 2).first->second;
}

HeadlessDashboard::HeadlessDashboard(float width, float height, ui::Preferences preferences,
                                     float scale)
    : imgui_(ImGui::CreateContext()), implot_(ImPlot::CreateContext()), scale_(scale) {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = io.LogFilename = nullptr;
  io.DisplaySize = {width, height};
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigInputTrickleEventQueue = false;
  io.ConfigDebugHighlightIdConflicts = true;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;
  std::vector<std::string> missing;
  dashboard_ = std::make_unique<ui::Dashboard>(ui::load_fonts(ui::system_font_files(), missing),
                                               preferences);
  shell.machine.device = "CPU, 2 threads";
}

HeadlessDashboard::~HeadlessDashboard() {
  // The atlas asks the renderer to let its textures go; nobody else answers.
  for (ImTextureData* const texture : ImGui::GetPlatformIO().Textures) {
    texture->SetTexID(ImTextureID_Invalid);
    texture->SetStatus(ImTextureStatus_Destroyed);
  }
  ImPlot::DestroyContext(implot_);
  ImGui::DestroyContext(imgui_);
}

void HeadlessDashboard::frame() {
  seconds_ += 1.0 / 60;
  ImGui::GetIO().DeltaTime = 1.0F / 60;
  probe_.begin_frame();
  const double begin = thread_seconds();
  ImGui::NewFrame();
  ui::Asked now = dashboard_->draw({.run = run,
                                    .shell = shell,
                                    .textures = textures_,
                                    .probe = &probe_,
                                    .scale = scale_,
                                    .seconds = seconds_});
  ImGui::Render();
  last_frame_seconds_ = thread_seconds() - begin;
  if (kept_seconds_ != nullptr) kept_seconds_->push_back(last_frame_seconds_);
  answer_texture_requests();
  for (run::Command& command : now.commands) asked.commands.push_back(std::move(command));
  for (ui::Request& request : now.requests) asked.requests.push_back(std::move(request));
}

void HeadlessDashboard::frames(int count) {
  for (int i = 0; i < count; ++i) frame();
}

ImVec2 HeadlessDashboard::middle_of(std::string_view name) const {
  const ui::ProbedItem* const item = probe_.find(name);
  if (item == nullptr) throw std::runtime_error("no control " + std::string(name));
  return {(item->min.x + item->max.x) / 2, (item->min.y + item->max.y) / 2};
}

void HeadlessDashboard::move_to(const ImVec2& point) {
  ImGui::GetIO().AddMousePosEvent(point.x, point.y);
  frame();
}

void HeadlessDashboard::move_to(std::string_view name) { move_to(middle_of(name)); }

void HeadlessDashboard::click(std::string_view name, ImGuiMouseButton button) {
  move_to(name);
  // ImGui knows what is under the mouse from the frame after it moved.
  frame();
  ImGui::GetIO().AddMouseButtonEvent(button, true);
  frame();
  ImGui::GetIO().AddMouseButtonEvent(button, false);
  frame();
}

void HeadlessDashboard::double_click(std::string_view name) {
  click(name);
  click(name);
}

void HeadlessDashboard::drag(std::string_view from, std::string_view to) {
  const ImVec2 begin = middle_of(from);
  const ImVec2 end = middle_of(to);
  move_to(begin);
  frame();
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, true);
  frame();
  constexpr int kPieces = 12;
  for (int piece = 1; piece <= kPieces; ++piece) {
    const float share = static_cast<float>(piece) / kPieces;
    move_to({begin.x + (end.x - begin.x) * share, begin.y + (end.y - begin.y) * share});
  }
  ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, false);
  frame();
}

void HeadlessDashboard::scroll(float lines) {
  ImGui::GetIO().AddMouseWheelEvent(0, lines);
  frames(2);
}

void HeadlessDashboard::press(ImGuiKey key, ImGuiKey modifier) {
  ImGuiIO& io = ImGui::GetIO();
  if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, true);
  io.AddKeyEvent(key, true);
  frame();
  io.AddKeyEvent(key, false);
  if (modifier != ImGuiKey_None) io.AddKeyEvent(modifier, false);
  frame();
}

void HeadlessDashboard::type(std::string_view text) {
  ImGui::GetIO().AddInputCharactersUTF8(std::string(text).c_str());
  frames(2);
}

void HeadlessDashboard::resize(float width, float height) {
  ImGui::GetIO().DisplaySize = {width, height};
  frame();
}

}  // namespace headroom::tests
