// The tables and the story of a run that another program, a full disk or a kill has damaged: rows
// that cannot be read are counted, nothing else happens. The input is the four files one after
// another, a zero byte between them.

#include <array>

#include "core/run/event_reader.hpp"
#include "core/run/record_files.hpp"
#include "core/run/record_reader.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  static const fuzz::ScratchFolder folder;
  std::string_view rest = fuzz::text_of(data, size);
  for (const char* name :
       std::array{run::kStepsFile, run::kResultsFile, run::kPlansFile, run::kEventsFile}) {
    const std::string_view part = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    folder.write(name, part);
  }
  const run::RunStory story = run::read_story(folder.path());
  run::SessionFacts facts = story.facts.value_or(run::SessionFacts{});
  facts.stages = {"enc1", "enc2", "dec1"};
  facts.class_names = run::recorded_classes(folder.path());
  (void)run::read_record(folder.path(), facts);
  return 0;
}
