#include "app/control_map.hpp"

#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "core/base/json_text.hpp"

namespace headroom::app {

void ControlMap::end_frame(const std::string& state) {
  nlohmann::ordered_json document = {{"state", state},
                                     {"controls", nlohmann::ordered_json::array()}};
  for (const ui::ProbedItem& item : items_) {
    document["controls"].push_back({{"name", item.name},
                                    {"x", item.min.x},
                                    {"y", item.min.y},
                                    {"width", item.max.x - item.min.x},
                                    {"height", item.max.y - item.min.y},
                                    {"enabled", item.enabled},
                                    {"text", item.text}});
  }
  std::string text = base::dump_json(document, 1);
  if (text == written_) return;
  base::write_file_atomically(file_, text);
  written_ = std::move(text);
}

}  // namespace headroom::app
