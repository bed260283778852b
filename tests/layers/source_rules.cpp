#include "tests/layers/source_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <stdexcept>

namespace headroom::tests {
namespace {

using Names = std::vector<std::string_view>;

struct Layer {
  std::string_view folder;
  Names may_include;
};

/// The table of layers. A layer may always include itself.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> table = {
      {"app",
       {"ui", "models", "core/train", "core/memory", "core/formats", "core/data", "core/run",
        "core/plan", "core/base"}},
      {"ui", {"core/run", "core/plan", "core/base"}},
      {"models", {"core/train", "core/memory", "core/plan", "core/base"}},
      {"core/train", {"core/memory", "core/plan", "core/data", "core/run", "core/base"}},
      {"core/memory", {"core/plan", "core/base"}},
      {"core/device_cuda", {"core/memory"}},
      {"headroom", {"core/memory", "core/plan", "core/base"}},
      {"examples", {"headroom"}},
      {"core/formats", {"core/data", "core/base"}},
      {"core/data", {"core/base"}},
      {"core/run", {"core/plan", "core/base"}},
      {"core/plan", {"core/base"}},
      {"core/base", {}},
  };
  return table;
}

struct Library {
  std::string_view name;
  Names prefixes;
  Names users;
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> table = {
      {"torch",
       {"torch/", "ATen/", "c10/", "caffe2/"},
       {"core/memory", "core/train", "core/device_cuda", "models", "headroom", "examples"}},
      {"CUDA",
       {"cuda", "cublas", "cudnn", "nvml", "cupti", "c10/cuda/", "ATen/cuda/"},
       {"core/device_cuda"}},
      {"OpenCV", {"opencv2/"}, {"core/formats"}},
      {"GDAL", {"gdal", "ogr_", "ogrsf_frmts", "cpl_"}, {"core/formats"}},
      {"GDCM", {"gdcm"}, {"core/formats"}},
      {"NIfTI", {"nifti"}, {"core/formats"}},
      {"yaml-cpp", {"yaml-cpp/"}, {"core/formats"}},
      {"Dear ImGui", {"imgui", "implot"}, {"ui", "app"}},
      {"GLFW or OpenGL", {"GLFW/", "GL/", "glad/", "EGL/", "GLES"}, {"app"}},
      {"CLI11", {"CLI/"}, {"app"}},
  };
  return table;
}

const Layer* find_layer(std::string_view folder) {
  const auto found = std::ranges::find(layers(), folder, &Layer::folder);
  return found == layers().end() ? nullptr : &*found;
}

bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// The source with comments blanked, line breaks kept. Literals are skipped whole, as they may hold
/// "//".
std::string without_comments(std::string_view text) {
  enum class In { Code, Line, Block, Literal };
  std::string kept;
  kept.reserve(text.size());
  In in = In::Code;
  char quote = '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    switch (in) {
      case In::Code:
        if (c == '/' && (next == '/' || next == '*')) {
          in = next == '/' ? In::Line : In::Block;
          ++i;
          continue;
        }
        if (c == '"') {
          in = In::Literal;
          quote = c;
        }
        kept += c;
        break;
      case In::Line:
        if (c == '\n') {
          in = In::Code;
          kept += c;
        }
        break;
      case In::Block:
        if (c == '*' && next == '/') {
          in = In::Code;
          ++i;
        } else if (c == '\n') {
          kept += c;
        }
        break;
      case In::Literal:
        kept += c;
        if (c == '\\') {
          if (next != '\0') kept += next;
          ++i;
        } else if (c == quote || c == '\n') {
          in = In::Code;
        }
        break;
    }
  }
  return kept;
}

std::optional<Include> parse_include(std::string_view line, int number) {
  line = trimmed(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = trimmed(line.substr(1));
  constexpr std::string_view kWord = "include";
  if (!line.starts_with(kWord)) return std::nullopt;
  line = trimmed(line.substr(kWord.size()));
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
  const bool quoted = line.front() == '"';
  const auto end = line.find(quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return Include{number, std::string(line.substr(1, end - 1)), quoted};
}

std::optional<std::string> violation(std::string_view file, const Layer& layer,
                                     const Include& include) {
  const std::string where = fmt::format("{}:{}: ", file, include.line);
  if (const std::string_view target = layer_of(include.path); !target.empty()) {
    if (target == layer.folder || contains(layer.may_include, target)) return std::nullopt;
    return where +
           fmt::format("{} may not include {} (\"{}\")", layer.folder, target, include.path);
  }
  for (const Library& library : libraries()) {
    const bool uses = std::ranges::any_of(library.prefixes, [&](std::string_view prefix) {
      return include.path.starts_with(prefix);
    });
    if (uses && !contains(library.users, layer.folder)) {
      return where +
             fmt::format("{} may not use {} (<{}>)", layer.folder, library.name, include.path);
    }
  }
  const bool generated = include.path.ends_with(".inc");
  if (include.quoted && !generated) {
    return where +
           fmt::format("\"{}\" does not start at the repository's root; libraries stand in <>",
                       include.path);
  }
  return std::nullopt;
}

}  // namespace

std::vector<Include> includes_of(std::string_view source_text) {
  const std::string text = without_comments(source_text);
  std::vector<Include> found;
  int number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const auto end = std::min(text.find('\n', begin), text.size());
    if (auto include = parse_include(std::string_view(text).substr(begin, end - begin), number)) {
      found.push_back(*std::move(include));
    }
    begin = end + 1;
  }
  return found;
}

std::string_view layer_of(std::string_view file) {
  for (const Layer& layer : layers()) {
    if (file.size() > layer.folder.size() && file.starts_with(layer.folder) &&
        file[layer.folder.size()] == '/') {
      return layer.folder;
    }
  }
  return {};
}

std::vector<std::string> layer_violations(std::string_view file, std::string_view source_text) {
  const Layer* layer = find_layer(layer_of(file));
  if (layer == nullptr) return {};
  std::vector<std::string> found;
  for (const Include& include : includes_of(source_text)) {
    if (auto message = violation(file, *layer, include)) found.push_back(*std::move(message));
  }
  return found;
}

std::vector<std::string> header_violations(std::string_view file, std::string_view source_text,
                                           std::string_view own_header) {
  std::vector<std::string> found;
  if (file.ends_with(".hpp") && source_text.find("#pragma once\n") == std::string_view::npos) {
    found.push_back(fmt::format("{}: no #pragma once", file));
  }
  if (file.ends_with(".cpp") && !own_header.empty()) {
    const auto includes = includes_of(source_text);
    if (includes.empty() || includes.front().path != own_header) {
      found.push_back(fmt::format("{}: the first include is not \"{}\"", file, own_header));
    }
  }
  return found;
}

bool is_listed(std::string_view file_name, std::string_view cmake_text) {
  constexpr std::string_view kBreaks = " \t\n()\"";
  for (auto at = cmake_text.find(file_name); at != std::string_view::npos;
       at = cmake_text.find(file_name, at + 1)) {
    const auto end = at + file_name.size();
    const bool begins = at == 0 || kBreaks.find(cmake_text[at - 1]) != std::string_view::npos;
    const bool ends =
        end == cmake_text.size() || kBreaks.find(cmake_text[end]) != std::string_view::npos;
    if (begins && ends) return true;
  }
  return false;
}

std::vector<std::string> source_files(const std::filesystem::path& repository) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  for (const auto* folder : {"app", "core", "examples", "headroom", "models", "ui", "tests"}) {
    if (!fs::exists(repository / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(repository / folder)) {
      const auto extension = entry.path().extension();
      if (entry.is_regular_file() && (extension == ".cpp" || extension == ".hpp")) {
        found.push_back(entry.path().lexically_relative(repository).generic_string());
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace headroom::tests
