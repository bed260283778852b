#include "app/script_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::app {
namespace {

struct Verb {
  std::string_view name;
  std::size_t least_words, most_words;
  std::string_view form, does;
};

constexpr std::size_t kAny = 64;
constexpr std::array<Verb, 18> kVerbs = {{
    {"open", 1, kAny, "open FOLDER", "opens a data folder, or a run folder to continue it"},
    {"sample", 0, 0, "sample", "makes the generated sample and starts a run on it"},
    {"set", 2, 2, "set KEY VALUE", "changes a setting of the run that is about to start"},
    {"start", 0, 0, "start", "starts the run"},
    {"pause", 0, 0, "pause", "pauses it"},
    {"resume", 0, 0, "resume", "goes on"},
    {"save", 0, 0, "save", "saves its state"},
    {"stop", 0, 0, "stop", "stops and saves"},
    {"plan", 1, 1, "plan PLAN", "keep, light, full, or STAGE=POLICY,…: from the next step on"},
    {"learning-rate", 1, 1, "learning-rate X", "the peak rate, from the next step on"},
    {"calibrate", 0, 0, "calibrate", "measures what a step of the run's network costs"},
    {"self-test", 0, 0, "self-test", "proves on a small network that plans change nothing"},
    {"wait", 1, 2, "wait step N|state NAME|applied|saved|calibrated|self-test",
     "until N steps are done, the run is in a state (or fails), the plan asked for is applied, …"},
    {"workspace", 1, 1, "workspace data|train", "goes to that workspace of the window"},
    {"show", 1, kAny, "show SAMPLE", "chooses a sample of the data folder by its name"},
    {"picture", 1, kAny, "picture FILE.png", "writes what the window shows"},
    {"log", 0, 0, "log", "prints the log"},
    {"quit", 0, 0, "quit", "saves and ends"},
}};

const Verb* find_verb(std::string_view name) {
  const auto found = std::find_if(kVerbs.begin(), kVerbs.end(),
                                  [&](const Verb& verb) { return verb.name == name; });
  return found == kVerbs.end() ? nullptr : &*found;
}

std::string all_verbs() {
  std::string names;
  for (const Verb& verb : kVerbs)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", verb.name);
  return names;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text.substr(0, text.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

void refuse_script_line(const std::string& source, int number, const std::string& subject,
                        const std::string& remedy) {
  throw base::Error(base::ErrorKind::usage,
                    {.attempted = "playing the script",
                     .subject = fmt::format("{}:{}: {}", source, number, subject),
                     .remedy = remedy});
}

std::vector<ScriptLine> read_script(const std::filesystem::path& file) {
  const std::string source = base::display_path(file);
  std::istringstream text(base::read_file(file));
  std::vector<ScriptLine> lines;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    const Verb* const verb = find_verb(words.front());
    if (verb == nullptr) {
      refuse_script_line(source, number, fmt::format("no verb {}", words.front()),
                         fmt::format("Verbs are {}", all_verbs()));
    }
    const std::size_t more = words.size() - 1;
    if (more < verb->least_words || more > verb->most_words) {
      refuse_script_line(source, number, fmt::format("{} with {} words after it", verb->name, more),
                         fmt::format("Write: {}", verb->form));
    }
    lines.push_back(
        {.number = number, .verb = words.front(), .words = {words.begin() + 1, words.end()}});
  }
  return lines;
}

std::string script_help() {
  std::string text;
  for (const Verb& verb : kVerbs) text += fmt::format("  {:<46} {}\n", verb.form, verb.does);
  return text;
}

}  // namespace headroom::app
