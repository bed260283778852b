// Chords that are tapped while a frame is drawn.
#include "app/window/key_order.hpp"

#include <gtest/gtest.h>

namespace headroom::app {
namespace {

class Keys : public testing::Test {
 protected:
  Keys() : imgui_(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = io.LogFilename = nullptr;
    io.DisplaySize = {200, 100};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    // ImGui sends a chord to those who asked for it in the frame before.
    frame();
  }
  ~Keys() override {
    for (ImTextureData* const texture : ImGui::GetPlatformIO().Textures) {
      texture->SetTexID(ImTextureID_Invalid);
      texture->SetStatus(ImTextureStatus_Destroyed);
    }
    ImGui::DestroyContext(imgui_);
  }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  /// As a backend tells of a key of the keyboard.
  static void control(bool down) {
    ImGui::GetIO().AddKeyEvent(ImGuiMod_Ctrl, down);
    ImGui::GetIO().AddKeyEvent(ImGuiKey_LeftCtrl, down);
  }
  static void q(bool down) { ImGui::GetIO().AddKeyEvent(ImGuiKey_Q, down); }
  void frame() {
    ImGui::GetIO().DeltaTime = 0.05F;
    order_.hold_back();
    ImGui::NewFrame();
    order_.give_back();
    if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Q, ImGuiInputFlags_RouteGlobal)) ++chords_;
    if (ImGui::IsKeyPressed(ImGuiKey_Q)) ++presses_;
    ImGui::Render();
  }

  ImGuiContext* imgui_;
  KeyOrder order_{};
  int chords_ = 0;
  int presses_ = 0;
};

TEST_F(Keys, ControlLetGoInTheFrameOfItsKey_IsStillAChord) {
  control(true);
  frame();
  q(true);
  control(false);
  q(false);
  for (int i = 0; i < 4; ++i) frame();
  EXPECT_EQ(chords_, 1);
  EXPECT_EQ(presses_, 1);
  EXPECT_FALSE(ImGui::GetIO().KeyCtrl);
  EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_Q));
}

TEST_F(Keys, WholeChordInOneFrame_IsAChord) {
  control(true);
  q(true);
  q(false);
  control(false);
  for (int i = 0; i < 4; ++i) frame();
  EXPECT_EQ(chords_, 1);
}

TEST_F(Keys, ThreeChordsInOneFrame_AreThree) {
  for (int tap = 0; tap < 3; ++tap) {
    control(true);
    q(true);
    control(false);
    q(false);
  }
  for (int i = 0; i < 12; ++i) frame();
  EXPECT_EQ(chords_, 3);
}

TEST_F(Keys, KeyAfterControlWasLetGo_IsNoChord) {
  control(true);
  control(false);
  q(true);
  q(false);
  for (int i = 0; i < 4; ++i) frame();
  EXPECT_EQ(chords_, 0);
  EXPECT_EQ(presses_, 1);
}

TEST_F(Keys, EventsThatNoFrameTook_Wait) {
  EXPECT_FALSE(has_waiting_input());
  q(true);
  q(false);
  EXPECT_TRUE(has_waiting_input());
  frame();
  EXPECT_TRUE(has_waiting_input()) << "the release is for the next frame";
  frame();
  EXPECT_FALSE(has_waiting_input());
}

}  // namespace
}  // namespace headroom::app
