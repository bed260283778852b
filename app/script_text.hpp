#pragma once
// The lines of a script for the dashboard: what a person would ask for, one verb a line. Pure but
// for reading the file; any thread.

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::app {

/// One line of a script.
struct ScriptLine {
  int number = 0;  ///< in the file, from 1
  std::string verb{};
  std::vector<std::string> words{};  ///< what follows the verb
};

/// The lines that say something; '#' begins a comment. Throws base::Error: usage naming file, line
/// and the verbs there are; io.
[[nodiscard]] std::vector<ScriptLine> read_script(const std::filesystem::path& file);

/// Verbs with what follows them and what they do, for --help.
[[nodiscard]] std::string script_help();

/// Throws base::Error (usage) naming source and line.
[[noreturn]] void refuse_script_line(const std::string& source, int number,
                                     const std::string& subject, const std::string& remedy);

}  // namespace headroom::app
