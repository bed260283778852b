#pragma once
// The workspaces of the dashboard: each has its own panels, docked in its own way. Constant.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace headroom::ui {

enum class Workspace { data, train };
inline constexpr std::size_t kWorkspaces = 2;
inline constexpr std::array<const char*, kWorkspaces> kWorkspaceNames = {"Data", "Train"};

[[nodiscard]] constexpr const char* name_of(Workspace workspace) {
  return kWorkspaceNames[static_cast<std::size_t>(workspace)];
}

}  // namespace headroom::ui
