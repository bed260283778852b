#pragma once
// Every setting of the program, as plain structs. Ranges, flags, JSON keys, help and groups stand
// in the schema (settings_schema.hpp), once per setting; nothing else parses or prints them.

#include <cstdint>
#include <string>

namespace headroom::base {

enum class NormKind { batch, group, instance };
enum class Precision { automatic, fp32, bf16, fp16 };
enum class MemoryFormat { automatic, contiguous, channels_last };
enum class OptimizerKind { adamw, sgd };
enum class LossKind { ce_dice, ce, dice };
enum class ScheduleKind { cosine, poly, constant };
/// What a training does when memory runs out.
enum class OutOfMemoryAnswer { adapt, stop };
/// What becomes of images that have no mask.
enum class MissingMasks { error, skip, background };
/// Along which voxel axis volumes are cut into slices.
enum class SliceAxisChoice { automatic, i, j, k };
enum class Normalise { zscore, minmax, percentile, none, ct_window };
/// How tiles are changed at random; the strengths stand in core/data/augmentation.cpp.
enum class Augment { none, flips, light, medical, aerial, microscopy };

/// The network.
struct ModelSettings {
  std::string model = "unet";
  std::int64_t levels = 5;          ///< 2 … 8; stages are enc1 … encN, decN-1 … dec1
  std::int64_t base_channels = 32;  ///< channels of enc1; each level doubles them
  NormKind norm = NormKind::batch;
  double dropout = 0.0;       ///< probability, in [0, 1)
  std::int64_t classes = 0;   ///< 0: found from the data (generated input: 2)
  std::int64_t channels = 0;  ///< 0: found from the data (generated input: 3)
};

/// One step: its size, where and how it is computed, and in which memory.
struct StepSettings {
  std::int64_t tile_height = 512;
  std::int64_t tile_width = 512;
  std::int64_t batch = 2;       ///< tiles per micro-batch
  std::int64_t accumulate = 1;  ///< micro-batches per optimizer step
  Precision precision = Precision::automatic;
  MemoryFormat memory_format = MemoryFormat::automatic;
  std::string device = "auto";  ///< auto, cpu, cuda, cuda:N
  std::int64_t threads = 0;     ///< compute threads; 0: all cores
  bool deterministic = false;
  std::int64_t seed = 0;
  std::string plan = "auto";  ///< keep, light, full, auto, or STAGE=POLICY,…
  std::int64_t budget_bytes =
      0;  ///< 0: CPU 70 % of the memory available now, CUDA what is free less 5 %
};

/// What is read, and how.
struct DataSettings {
  std::string layout = "auto";
  std::string mapping{};      ///< JSON file; empty: proposed by the scan
  std::int64_t ignore = 255;  ///< mask value that no loss counts; -1: none
  MissingMasks missing_masks = MissingMasks::skip;
  std::string split = "auto";       ///< auto, a share for validation, or lists: a JSON file, or a
                                    ///< folder with train.txt and val.txt
  std::string split_by = "sample";  ///< what stays on one side: sample, folder, patient, series,
                                    ///< blocks, or a regular expression over the sample's id
  std::int64_t folds = 0;           ///< 0: no cross-validation
  std::int64_t fold = 0;            ///< the one that validates, 0 … folds - 1
  SliceAxisChoice slice_axis = SliceAxisChoice::automatic;
  Normalise normalise = Normalise::zscore;
  std::string window = "soft-tissue";  ///< for ct_window: as parse_ct_window takes it
  std::int64_t loader_threads = 1;
  std::int64_t cache_bytes = std::int64_t{1} << 30;  ///< decoded images kept in memory
};

/// How long and how it learns.
struct TrainSettings {
  std::int64_t steps = 0;   ///< optimizer steps; 0: from epochs
  std::int64_t epochs = 0;  ///< 0 with steps 0: 100 epochs, at most 2000 steps
  OptimizerKind optimizer = OptimizerKind::adamw;
  double learning_rate = 1e-3;
  double weight_decay = 1e-2;
  double clip_norm = 0.0;  ///< 0: gradients are not clipped
  ScheduleKind schedule = ScheduleKind::cosine;
  double warmup = 0.1;  ///< share of the steps over which the rate rises
  LossKind loss = LossKind::ce_dice;
  Augment augment = Augment::flips;
  double foreground = 0.0;  ///< share of the tiles that must show a class other than the first
  bool coverage = false;    ///< every pixel once an epoch, instead of tiles at random places
  std::int64_t validate_every = 0;  ///< steps; 0: once an epoch, at least every tenth of the run
  std::int64_t save_every_seconds = 300;
  std::int64_t timeline_every = 0;  ///< steps; 0: no timeline is written
  OutOfMemoryAnswer on_oom = OutOfMemoryAnswer::adapt;
};

struct Settings {
  ModelSettings model{};
  StepSettings step{};
  DataSettings data{};
  TrainSettings train{};
};

}  // namespace headroom::base
