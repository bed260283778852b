#pragma once
// Requests that would drop edits of a mapping that were not applied: they wait until the person has
// said so. The UI thread.

#include <optional>

#include "ui/frame.hpp"
#include "ui/mapping_edit.hpp"

namespace headroom::ui {

/// Whether a request puts other data in the place of the data that is being edited, or ends the
/// program.
[[nodiscard]] bool drops_edits(const Request& request);

/// The dashboard's own, kept from frame to frame.
struct HeldRequest {
  std::optional<Request> request{};
};

/// To be called last in a frame: takes such requests out of what was asked while `edit` has
/// changes, asks the person, and gives back the one that was confirmed.
void hold_back(const Frame& frame, HeldRequest& held, const MappingEdit& edit);

}  // namespace headroom::ui
