// The table itself, and how its rows reach the structs' fields. Conversions stand in
// settings_values.cpp.
#include "core/base/settings_schema.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "core/base/ct_window.hpp"
#include "core/base/text_number.hpp"

namespace headroom::base {
namespace {

// Names stand in the order of the enumerators.
constexpr auto kModelNames = std::to_array<std::string_view>({"unet"});
constexpr auto kNormNames = std::to_array<std::string_view>({"batch", "group", "instance"});
constexpr auto kPrecisionNames = std::to_array<std::string_view>({"auto", "fp32", "bf16", "fp16"});
constexpr auto kMemoryFormatNames =
    std::to_array<std::string_view>({"auto", "contiguous", "channels-last"});
constexpr auto kOptimizerNames = std::to_array<std::string_view>({"adamw", "sgd"});
constexpr auto kLossNames = std::to_array<std::string_view>({"ce-dice", "ce", "dice"});
constexpr auto kScheduleNames = std::to_array<std::string_view>({"cosine", "poly", "constant"});
constexpr auto kOutOfMemoryAnswerNames = std::to_array<std::string_view>({"adapt", "stop"});
constexpr auto kMissingMasksNames =
    std::to_array<std::string_view>({"error", "skip", "background"});
constexpr auto kSliceAxisNames = std::to_array<std::string_view>({"auto", "i", "j", "k"});
constexpr auto kNormaliseNames =
    std::to_array<std::string_view>({"zscore", "minmax", "percentile", "none", "ct-window"});
constexpr auto kAugmentNames =
    std::to_array<std::string_view>({"none", "flips", "light", "medical", "aerial", "microscopy"});
// Most programs know augmentation as on or off.
constexpr auto kAugmentAliases = std::to_array<ChoiceAlias>({{"true", "flips"},
                                                             {"on", "flips"},
                                                             {"yes", "flips"},
                                                             {"1", "flips"},
                                                             {"false", "none"},
                                                             {"off", "none"},
                                                             {"no", "none"},
                                                             {"0", "none"}});

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMonthSeconds = std::int64_t{30} * 24 * 3600;
constexpr SpecialWord kAuto{"auto", 0};

template <auto Group, auto Member>
SettingValue get_field(const Settings& settings) {
  return settings.*Group.*Member;
}
template <auto Group, auto Member>
void set_field(Settings& settings, const SettingValue& value) {
  auto& field = settings.*Group.*Member;
  field = std::get<std::remove_reference_t<decltype(field)>>(value);
}

template <auto Group, auto Member, const auto& Names>
SettingValue get_choice(const Settings& settings) {
  return std::string(Names[static_cast<std::size_t>(settings.*Group.*Member)]);
}
template <auto Group, auto Member, const auto& Names>
void set_choice(Settings& settings, const SettingValue& value) {
  auto& field = settings.*Group.*Member;
  const auto found = std::find(Names.begin(), Names.end(), std::get<std::string>(value));
  field = static_cast<std::remove_reference_t<decltype(field)>>(found - Names.begin());
}

SettingValue get_tile(const Settings& settings) {
  return TileSize{settings.step.tile_height, settings.step.tile_width};
}
void set_tile(Settings& settings, const SettingValue& value) {
  const TileSize tile = std::get<TileSize>(value);
  settings.step.tile_height = tile.height;
  settings.step.tile_width = tile.width;
}

bool is_device(std::string_view text) {
  if (text == "auto" || text == "cpu" || text == "cuda") return true;
  constexpr std::string_view kCudaDevice = "cuda:";
  if (!text.starts_with(kCudaDevice)) return false;
  const std::string_view number = text.substr(kCudaDevice.size());
  const bool digits_only = number.find_first_not_of("0123456789") == std::string_view::npos;
  constexpr std::int64_t kMostDevices = 128;  // LibTorch counts devices in 8 bits
  return digits_only && parse_integer(number).value_or(kMostDevices) < kMostDevices;
}

bool is_split(std::string_view text) {
  const std::optional<double> share = parse_real(text);
  return share ? *share > 0 && *share < 1 : !text.empty();
}

bool is_ct_window(std::string_view text) { return parse_ct_window(text).has_value(); }

/// Whether the regular expression can be used is known where samples are split.
bool is_split_by(std::string_view text) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"sample", "folder", "patient", "series", "blocks"});
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end() ||
         text.find('(') != std::string_view::npos;
}

bool is_not_empty(std::string_view text) { return !text.empty(); }

template <auto Group, auto Member>
constexpr SettingRow field_row(SettingRow row) {
  row.get = &get_field<Group, Member>;
  row.set = &set_field<Group, Member>;
  return row;
}

template <auto Group, auto Member, const auto& Names>
constexpr SettingRow choice_row(SettingRow row) {
  row.kind = SettingKind::choice;
  row.choices = Names;
  row.get = &get_choice<Group, Member, Names>;
  row.set = &set_choice<Group, Member, Names>;
  return row;
}

using Kind = SettingKind;
constexpr auto kModel = SettingGroup::model;
constexpr auto kStep = SettingGroup::step;
constexpr auto kData = SettingGroup::data;
constexpr auto kTrain = SettingGroup::train;

template <auto Member>
constexpr SettingRow model_row(SettingRow row) {
  row.group = kModel;
  return field_row<&Settings::model, Member>(row);
}
template <auto Member>
constexpr SettingRow step_row(SettingRow row) {
  row.group = kStep;
  return field_row<&Settings::step, Member>(row);
}
template <auto Member>
constexpr SettingRow data_row(SettingRow row) {
  row.group = kData;
  return field_row<&Settings::data, Member>(row);
}
template <auto Member>
constexpr SettingRow train_row(SettingRow row) {
  row.group = kTrain;
  return field_row<&Settings::train, Member>(row);
}

constexpr auto kRows = std::to_array<SettingRow>({
    // The network.
    model_row<&ModelSettings::model>({.key = "model",
                                      .flag = "--model",
                                      .kind = Kind::choice,
                                      .help = "network",
                                      .choices = kModelNames}),
    model_row<&ModelSettings::base_channels>(
        {.key = "base_channels",
         .flag = "--base-channels",
         .help = "channels of the first stage; each level doubles them",
         .range = IntegerRange{1, 1024}}),
    model_row<&ModelSettings::levels>({.key = "levels",
                                       .flag = "--levels",
                                       .help = "resolutions of the network",
                                       .range = IntegerRange{2, 8}}),
    choice_row<&Settings::model, &ModelSettings::norm, kNormNames>(
        {.key = "norm", .flag = "--norm", .group = kModel, .help = "normalisation layers"}),
    model_row<&ModelSettings::dropout>(
        {.key = "dropout",
         .flag = "--dropout",
         .kind = Kind::real,
         .help = "probability that a value is dropped",
         .range = RealRange{.low = 0, .high = 1, .high_excluded = true}}),
    model_row<&ModelSettings::classes>({.key = "classes",
                                        .flag = "--classes",
                                        .help = "classes; auto: found from the data",
                                        .range = IntegerRange{2, 255},
                                        .special = kAuto}),
    model_row<&ModelSettings::channels>({.key = "channels",
                                         .flag = "--channels",
                                         .help = "bands of the image; auto: found from the data",
                                         .range = IntegerRange{1, 1024},
                                         .special = kAuto}),

    // One step.
    {.key = "tile",
     .flag = "--tile",
     .group = kStep,
     .kind = Kind::tile,
     .help = "pixels of a training tile: side, or HEIGHTxWIDTH",
     .range = IntegerRange{1, 65536},
     .get = &get_tile,
     .set = &set_tile},
    step_row<&StepSettings::batch>({.key = "batch",
                                    .flag = "--batch",
                                    .help = "tiles that are computed at once",
                                    .range = IntegerRange{1, 4096}}),
    step_row<&StepSettings::accumulate>(
        {.key = "accumulate",
         .flag = "--accumulate",
         .help = "batches whose gradients are added up for one optimizer step",
         .range = IntegerRange{1, 4096}}),
    choice_row<&Settings::step, &StepSettings::precision, kPrecisionNames>(
        {.key = "precision",
         .flag = "--precision",
         .group = kStep,
         .help = "number format of the costly operations; auto: bf16 where the device has it"}),
    choice_row<&Settings::step, &StepSettings::memory_format, kMemoryFormatNames>(
        {.key = "memory_format",
         .flag = "--memory-format",
         .group = kStep,
         .help = "order of a tensor's values in memory"}),
    step_row<&StepSettings::device>({.key = "device",
                                     .flag = "--device",
                                     .kind = Kind::text,
                                     .help = "where to compute",
                                     .accepts = &is_device,
                                     .form = "auto, cpu, cuda or cuda:N"}),
    step_row<&StepSettings::threads>({.key = "threads",
                                      .flag = "--threads",
                                      .help = "compute threads; auto: all cores",
                                      .range = IntegerRange{1, 1024},
                                      .special = kAuto,
                                      .on_resume = OnResume::may_change}),
    step_row<&StepSettings::deterministic>(
        {.key = "deterministic",
         .flag = "--deterministic",
         .kind = Kind::flag,
         .help = "only algorithms that give the same bits every time"}),
    step_row<&StepSettings::seed>({.key = "seed",
                                   .flag = "--seed",
                                   .help = "start of every random sequence",
                                   .range = IntegerRange{0, kMost}}),
    step_row<&StepSettings::plan>({.key = "plan",
                                   .flag = "--plan",
                                   .kind = Kind::text,
                                   .help = "what the stages keep for backward",
                                   .on_resume = OnResume::may_change,
                                   .accepts = &is_not_empty,
                                   .form = "keep, light, full, auto or STAGE=POLICY,…"}),
    step_row<&StepSettings::budget_bytes>(
        {.key = "budget",
         .flag = "--budget",
         .kind = Kind::bytes,
         .help =
             "memory that may be live at once, weights and optimizer state included; auto: on a "
             "CPU 70 % of what is available, on a GPU what is free less 5 %",
         .range = IntegerRange{1, kMost},
         .special = kAuto,
         .on_resume = OnResume::may_change}),

    // Data.
    data_row<&DataSettings::mapping>(
        {.key = "mapping",
         .flag = "--mapping",
         .kind = Kind::text,
         .help = "JSON file that says which mask value, colour or annotated name is which class; "
                 "empty: proposed from the data"}),
    data_row<&DataSettings::ignore>({.key = "ignore",
                                     .flag = "--ignore",
                                     .help = "mask value that is not learned",
                                     .range = IntegerRange{0, 4'294'967'295},
                                     .special = SpecialWord{"none", -1}}),
    data_row<&DataSettings::layout>({.key = "layout",
                                     .flag = "--layout",
                                     .kind = Kind::text,
                                     .help = "how the folder is arranged; auto: recognised",
                                     .accepts = &is_not_empty,
                                     .form = "auto or a layout's name"}),
    choice_row<&Settings::data, &DataSettings::missing_masks, kMissingMasksNames>(
        {.key = "missing_masks",
         .flag = "--missing-masks",
         .group = kData,
         .help = "images without a mask: refuse them, leave them out, or take them as background"}),
    data_row<&DataSettings::split>(
        {.key = "split",
         .flag = "--split",
         .kind = Kind::text,
         .help = "share of the images for validation; or a JSON file with the lists train and val, "
                 "or a folder with train.txt and val.txt; auto: the data's own train and val "
                 "folders, else 0.2",
         .accepts = &is_split,
         .form = "auto, a share above 0 and below 1, a file or a folder"}),
    data_row<&DataSettings::split_by>(
        {.key = "split_by",
         .flag = "--split-by",
         .kind = Kind::text,
         .help = "what stays on one side of the split: each sample, all of a folder, of a DICOM "
                 "patient or series, or all whose ids have the same text in the group of a regular "
                 "expression; blocks: images are cut into blocks, which go to either side",
         .accepts = &is_split_by,
         .form = "sample, folder, patient, series, blocks, or a regular expression with a group "
                 "such as 'case([0-9]+)_'"}),
    data_row<&DataSettings::folds>(
        {.key = "folds",
         .flag = "--folds",
         .help = "parts of the data of which one validates, in place of a share",
         .range = IntegerRange{2, 1000},
         .special = SpecialWord{"none", 0}}),
    data_row<&DataSettings::fold>({.key = "fold",
                                   .flag = "--fold",
                                   .help = "the part that validates, counted from 0",
                                   .range = IntegerRange{0, 999}}),
    choice_row<&Settings::data, &DataSettings::slice_axis, kSliceAxisNames>(
        {.key = "slice_axis",
         .flag = "--slice-axis",
         .group = kData,
         .help = "voxel axis along which volumes are cut into slices; auto: axial, or as they were "
                 "taken"}),
    choice_row<&Settings::data, &DataSettings::normalise, kNormaliseNames>(
        {.key = "normalise",
         .flag = "--normalise",
         .group = kData,
         .help = "how pixel values are scaled"}),
    data_row<&DataSettings::window>(
        {.key = "window",
         .flag = "--window",
         .kind = Kind::text,
         .help = "for --normalise ct-window: what becomes 0 to 1; values outside are cut",
         .accepts = &is_ct_window,
         .form = kCtWindowForm}),
    data_row<&DataSettings::loader_threads>({.key = "loader_threads",
                                             .flag = "--loader-threads",
                                             .help = "threads that read and cut images",
                                             .range = IntegerRange{1, 64},
                                             .on_resume = OnResume::may_change}),
    data_row<&DataSettings::cache_bytes>({.key = "cache",
                                          .flag = "--cache",
                                          .kind = Kind::bytes,
                                          .help = "memory for images that were read",
                                          .range = IntegerRange{0, kMost}}),

    // Training.
    train_row<&TrainSettings::steps>({.key = "steps",
                                      .flag = "--steps",
                                      .help = "optimizer steps; auto: from the epochs",
                                      .range = IntegerRange{1, 1'000'000'000},
                                      .special = kAuto,
                                      .on_resume = OnResume::may_change}),
    train_row<&TrainSettings::epochs>(
        {.key = "epochs",
         .flag = "--epochs",
         .help = "passes over the training images; auto: 100, but at most 2000 steps",
         .range = IntegerRange{1, 1'000'000},
         .special = kAuto,
         .on_resume = OnResume::may_change}),
    choice_row<&Settings::train, &TrainSettings::optimizer, kOptimizerNames>(
        {.key = "optimizer", .flag = "--optimizer", .group = kTrain, .help = "optimizer"}),
    train_row<&TrainSettings::learning_rate>(
        {.key = "lr",
         .flag = "--lr",
         .kind = Kind::real,
         .help = "highest learning rate of the schedule",
         .range = RealRange{.low = 0, .high = 10, .low_excluded = true}}),
    train_row<&TrainSettings::weight_decay>({.key = "weight_decay",
                                             .flag = "--weight-decay",
                                             .kind = Kind::real,
                                             .help = "decay of the weights",
                                             .range = RealRange{.low = 0, .high = 1}}),
    train_row<&TrainSettings::clip_norm>(
        {.key = "clip_norm",
         .flag = "--clip-norm",
         .kind = Kind::real,
         .help = "longest gradient; longer ones are scaled down; 0: never",
         .range = RealRange{.low = 0, .high = 1e6}}),
    choice_row<&Settings::train, &TrainSettings::schedule, kScheduleNames>(
        {.key = "schedule",
         .flag = "--schedule",
         .group = kTrain,
         .help = "how the learning rate falls"}),
    train_row<&TrainSettings::warmup>(
        {.key = "warmup",
         .flag = "--warmup",
         .kind = Kind::real,
         .help = "share of the steps over which the learning rate rises",
         .range = RealRange{.low = 0, .high = 1}}),
    choice_row<&Settings::train, &TrainSettings::loss, kLossNames>(
        {.key = "loss",
         .flag = "--loss",
         .group = kTrain,
         .help = "what is minimised: cross-entropy, Dice, or their sum"}),
    choice_row<&Settings::train, &TrainSettings::augment, kAugmentNames>(
        {.key = "augment",
         .flag = "--augment",
         .group = kTrain,
         .help = "how tiles are changed at random; flips: mirrored and turned by right angles; "
                 "the later ones also turn, scale and bend them freely and change their values",
         .aliases = kAugmentAliases}),
    train_row<&TrainSettings::foreground>(
        {.key = "foreground",
         .flag = "--foreground",
         .kind = Kind::real,
         .help = "share of the tiles that must show a class other than the first, each equally "
                 "often; the others lie anywhere",
         .range = RealRange{.low = 0, .high = 1}}),
    train_row<&TrainSettings::coverage>(
        {.key = "coverage",
         .flag = "--coverage",
         .kind = Kind::flag,
         .help = "every pixel of every training image once an epoch, instead of tiles at random "
                 "places"}),
    train_row<&TrainSettings::validate_every>(
        {.key = "validate_every",
         .flag = "--validate-every",
         .help = "steps between validations; auto: once an epoch, at least ten times a run",
         .range = IntegerRange{1, 1'000'000'000},
         .special = kAuto}),
    train_row<&TrainSettings::save_every_seconds>({.key = "save_every",
                                                   .flag = "--save-every",
                                                   .kind = Kind::duration,
                                                   .help = "time between saves of the run's state",
                                                   .range = IntegerRange{1, kMonthSeconds},
                                                   .on_resume = OnResume::may_change}),
    train_row<&TrainSettings::timeline_every>(
        {.key = "timeline_every",
         .flag = "--timeline-every",
         .help = "steps between those whose live bytes over time are written into the run's "
                 "timelines/, with the tensors that hold the peak",
         .range = IntegerRange{1, 1'000'000'000},
         .special = SpecialWord{"none", 0}}),
    choice_row<&Settings::train, &TrainSettings::on_oom, kOutOfMemoryAnswerNames>(
        {.key = "on_oom",
         .flag = "--on-oom",
         .group = kTrain,
         .help =
             "when memory runs out: go on with a plan that keeps less, then with fewer tiles at "
             "once; or stop",
         .on_resume = OnResume::may_change}),
});

}  // namespace

const char* name_of(SettingGroup group) {
  switch (group) {
    case SettingGroup::model:
      return "model";
    case SettingGroup::step:
      return "step";
    case SettingGroup::data:
      return "data";
    case SettingGroup::train:
      return "train";
  }
  return "";
}

std::span<const SettingRow> settings_schema() { return kRows; }

const SettingRow* find_setting(std::string_view key) {
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const SettingRow& each) { return each.key == key; });
  return row == kRows.end() ? nullptr : &*row;
}

const SettingRow* setting_of_flag(std::string_view flag) {
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const SettingRow& each) { return each.flag == flag; });
  return row == kRows.end() ? nullptr : &*row;
}

}  // namespace headroom::base
