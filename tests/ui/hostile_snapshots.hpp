#pragma once
// Snapshots that no run leaves behind but that must not harm the dashboard: missing, contradicting
// and excessive values.

#include <memory>
#include <string>
#include <vector>

#include "core/run/snapshot.hpp"
#include "ui/shell.hpp"

namespace headroom::tests {

struct HostileSnapshot {
  std::string name{};
  std::shared_ptr<const run::RunSnapshot> run{};
  ui::Outlook outlook{};
};

/// Each with one of the hostile outlooks, which come round in turn, and a usual one with each.
[[nodiscard]] std::vector<HostileSnapshot> hostile_snapshots();

}  // namespace headroom::tests
