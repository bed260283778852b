#include "core/train/model_file.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/settings_schema.hpp"
#include "core/base/text_number.hpp"
#include "core/train/precision.hpp"
#include "core/train/safetensors.hpp"

namespace headroom::train {
namespace {

constexpr const char* kVersionKey = "headroom_model_version";

base::Error unusable(const std::filesystem::path& path, const std::string& what,
                     const std::string& remedy) {
  return {base::ErrorKind::usage,
          {"reading the model file", base::display_path(path) + ": " + what, remedy}};
}

/// The settings that stand in a model file: the network's, the tile and the precision.
std::string settings_text(const ModelDescription& description) {
  base::Settings settings;
  settings.model = description.model;
  settings.step.tile_height = description.tile_height;
  settings.step.tile_width = description.tile_width;
  settings.step.precision = description.precision;
  const nlohmann::ordered_json all = base::settings_object(settings);
  nlohmann::ordered_json kept;
  for (const base::SettingRow& row : base::settings_schema()) {
    const std::string key(row.key);
    if (row.group == base::SettingGroup::model || key == "tile" || key == "precision") {
      kept[key] = all.at(key);
    }
  }
  return base::dump_json(kept);
}

std::string normalisation_text(const data::Normalisation& normalisation) {
  return base::dump_json({{"mode", normalisation.mode},
                          {"shift", normalisation.shift},
                          {"scale", normalisation.scale},
                          {"clipped", normalisation.clipped}});
}

TextMap metadata_of(const ModelDescription& description) {
  return {{kVersionKey, std::to_string(kModelFileVersion)},
          {"headroom_build", std::string(base::build_commit())},
          {"settings", settings_text(description)},
          {"class_names", base::dump_json(description.mapping.class_names)},
          {"mapping", base::to_json(description.mapping)},
          {"normalisation", normalisation_text(description.normalisation)},
          {"precision", name_of(description.precision)},
          {"step", std::to_string(description.step)}};
}

/// The metadata of one file, with its name for messages.
struct Metadata {
  const std::filesystem::path& path;
  const TextMap& texts;

  [[nodiscard]] const std::string& at(const std::string& key) const {
    const auto found = texts.find(key);
    if (found == texts.end()) {
      throw unusable(path, "it has no \"" + key + "\"",
                     "Give a model file that Headroom's train command wrote");
    }
    return found->second;
  }
  [[nodiscard]] std::int64_t number(const std::string& key) const {
    const auto value = base::parse_integer(at(key));
    if (!value || *value < 0) {
      throw unusable(path, "its \"" + key + "\" is no count", "The file is damaged");
    }
    return *value;
  }
};

std::vector<double> reals_of(const Metadata& metadata, const nlohmann::json& normalisation,
                             const char* key, std::int64_t channels) {
  const auto found = normalisation.find(key);
  std::vector<double> values;
  if (found != normalisation.end() && found->is_array()) {
    for (const auto& value : *found) {
      if (value.is_number()) {
        values.push_back(value.get<double>());
      }
    }
  }
  if (static_cast<std::int64_t>(values.size()) != channels) {
    throw unusable(metadata.path,
                   std::string("its normalisation has no \"") + key + "\" for each channel",
                   "The file is damaged");
  }
  return values;
}

data::Normalisation normalisation_of(const Metadata& metadata, std::int64_t channels) {
  const auto object = base::parse_json_object(
      metadata.at("normalisation"), "reading the model file", base::display_path(metadata.path));
  data::Normalisation normalisation;
  if (const auto mode = object.find("mode"); mode != object.end() && mode->is_string()) {
    normalisation.mode = mode->get<std::string>();
  }
  // Files of version 1 have none.
  if (const auto clipped = object.find("clipped");
      clipped != object.end() && clipped->is_boolean()) {
    normalisation.clipped = clipped->get<bool>();
  }
  normalisation.shift = reals_of(metadata, object, "shift", channels);
  normalisation.scale = reals_of(metadata, object, "scale", channels);
  return normalisation;
}

ModelDescription describe(const Metadata& metadata) {
  if (metadata.number(kVersionKey) > kModelFileVersion) {
    throw unusable(metadata.path, "it was written by a newer version of Headroom",
                   "Use that version, or export the model there");
  }
  const std::string source = base::display_path(metadata.path);
  const base::Settings settings = base::settings_from_json(metadata.at("settings"), source);
  ModelDescription description;
  description.model = settings.model;
  description.tile_height = settings.step.tile_height;
  description.tile_width = settings.step.tile_width;
  description.precision = settings.step.precision;
  description.mapping = base::parse_class_mapping(metadata.at("mapping"), source);
  description.normalisation = normalisation_of(metadata, description.model.channels);
  description.step = metadata.number("step");
  if (description.mapping.classes() != description.model.classes) {
    throw unusable(metadata.path,
                   "its mapping has " + std::to_string(description.mapping.classes()) +
                       " classes, its network " + std::to_string(description.model.classes),
                   "The file is damaged");
  }
  return description;
}

}  // namespace

std::int64_t save_model_file(const std::filesystem::path& path, const ModelDescription& description,
                             const StagedModel& model) {
  return write_safetensors(path, model.file_tensors(), metadata_of(description));
}

LoadedModel load_model_file(const std::filesystem::path& path, const ModelFactory& make_model) {
  const SafetensorsContents contents = read_safetensors(path);
  LoadedModel loaded{describe({path, contents.metadata}), nullptr};
  loaded.model = make_model(loaded.description.model);
  loaded.model->load_file_tensors(contents.tensors);
  loaded.model->eval();
  return loaded;
}

ModelDescription load_model_description(const std::filesystem::path& path) {
  const TextMap metadata = read_safetensors_metadata(path);
  return describe({path, metadata});
}

}  // namespace headroom::train
