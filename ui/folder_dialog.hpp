#pragma once
// The dialog that chooses a folder: its listing comes from the program, in the background. The UI
// thread.

#include <filesystem>
#include <string>

#include "ui/frame.hpp"

namespace headroom::ui {

struct FolderDialogState {
  bool should_open = false;        ///< set to open the dialog with the next frame
  std::filesystem::path folder{};  ///< the one that is shown, or asked for
  std::string typed{};             ///< in the path field
  std::string selected{};          ///< name of the folder that is marked in the listing
};

/// Where the dialog is open it is modal. A folder that was chosen becomes the request OpenFolder.
void draw_folder_dialog(const Frame& frame, FolderDialogState& state);

}  // namespace headroom::ui
