#include "ui/request_edit.hpp"

#include <algorithm>
#include <utility>

#include "core/base/settings_schema.hpp"

namespace headroom::ui {
namespace {

bool are_of_one_run(const run::RunRequest& a, const run::RunRequest& b) {
  return a.run_folder == b.run_folder && a.data_folder == b.data_folder && a.start == b.start;
}

bool have_same_settings(const run::RunRequest& a, const run::RunRequest& b) {
  return a.plan_is_given == b.plan_is_given &&
         std::ranges::all_of(base::settings_schema(), [&](const base::SettingRow& row) {
           return base::text_of(a.settings, row) == base::text_of(b.settings, row);
         });
}

}  // namespace

void RequestEdit::observe(const run::RunSnapshot& run) {
  if (!asked_.has_value()) return;
  const bool can_take = run.state == run::RunState::ready && run.request.has_value() &&
                        are_of_one_run(*run.request, *asked_);
  if (!can_take || have_same_settings(*run.request, *asked_)) asked_.reset();
}

const run::RunRequest& RequestEdit::latest(const run::RunSnapshot& run) const {
  return asked_.has_value() ? *asked_ : *run.request;
}

run::Configure RequestEdit::ask(run::RunRequest request) {
  asked_ = request;
  return {.request = std::move(request)};
}

}  // namespace headroom::ui
