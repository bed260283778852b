#include "core/run/event_reader.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/run/csv.hpp"
#include "core/run/event.hpp"
#include "core/run/record_files.hpp"

namespace headroom::run {
namespace {

using nlohmann::json;

SessionFacts facts_of(const json& event) {
  SessionFacts facts;
  event.at("stages").get_to(facts.stages);
  event.at("steps").get_to(facts.steps);
  event.at("steps_per_epoch").get_to(facts.steps_per_epoch);
  event.at("first_step").get_to(facts.first_step);
  event.at("parameters").get_to(facts.parameters);
  event.at("device").get_to(facts.device);
  event.at("precision").get_to(facts.precision);
  event.at("budget_bytes").get_to(facts.budget_bytes);
  event.at("class_names").get_to(facts.class_names);
  const json& dataset = event.at("dataset");
  dataset.at("root").get_to(facts.dataset.root);
  dataset.at("layout").get_to(facts.dataset.layout);
  dataset.at("samples").get_to(facts.dataset.samples);
  dataset.at("channels").get_to(facts.dataset.channels);
  return facts;
}

void begin_run(RunStory& story, const json& event) {
  SessionFacts facts = facts_of(event);
  if (facts.first_step > 0) story.resumed_after.push_back(facts.first_step);
  story.facts = std::move(facts);
  story.end = RunEnd::unfinished;
  story.error.reset();
}

void fail_run(RunStory& story, const json& event) {
  story.error = base::ErrorParts{.attempted = event.at("attempted").get<std::string>(),
                                 .subject = event.at("subject").get<std::string>(),
                                 .remedy = event.at("remedy").get<std::string>()};
  story.end = RunEnd::failed;
}

void tell(RunStory& story, const json& event) {
  const auto name = event.at("event").get<std::string>();
  const auto time = event.at("time").get<std::string>();
  if (story.began.empty()) story.began = time;
  story.ended = time;
  if (name == "prepared") {
    begin_run(story, event);
  } else if (name == "failed") {
    fail_run(story, event);
  } else if (name == "finished") {
    const bool is_completed = event.at("outcome") == name_of(Outcome::completed);
    story.end = is_completed ? RunEnd::completed : RunEnd::stopped;
  }
}

}  // namespace

const char* name_of(RunEnd end) {
  switch (end) {
    case RunEnd::completed:
      return "completed";
    case RunEnd::stopped:
      return "stopped";
    case RunEnd::failed:
      return "failed";
    case RunEnd::unfinished:
      return "unfinished";
  }
  return "";
}

RunStory read_story(const std::filesystem::path& run_folder) {
  RunStory story;
  for (const std::string& line : csv_lines(run_folder / kEventsFile)) {
    try {
      tell(story, json::parse(line));
    } catch (const json::exception&) {
      ++story.unreadable;
    }
  }
  return story;
}

}  // namespace headroom::run
