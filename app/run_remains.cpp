#include "app/run_remains.hpp"

#include <system_error>

namespace headroom::app {
namespace fs = std::filesystem;

bool left_nothing(const run::RunSnapshot& snapshot) {
  return snapshot.request->start == run::RunStart::fresh && snapshot.facts != nullptr &&
         snapshot.error && snapshot.error->step == 0 && snapshot.error->saved_step == 0;
}

void remove_remains(const fs::path& folder, bool was_there) {
  std::error_code ignored;
  if (!was_there) {
    fs::remove_all(folder, ignored);
    return;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    fs::remove_all(entry.path(), ignored);
}

}  // namespace headroom::app
