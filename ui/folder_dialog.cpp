#include "ui/folder_dialog.hpp"

namespace headroom::ui {

void draw_folder_dialog(const Frame&, FolderDialogState&) {}

}  // namespace headroom::ui
