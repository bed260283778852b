#include "core/formats/scan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <set>
#include <thread>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/interruption.hpp"
#include "core/base/io_error.hpp"
#include "core/data/parallel_for.hpp"
#include "core/formats/annotation_documents.hpp"
#include "core/formats/label_reader.hpp"
#include "core/formats/layout.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/listed_sides.hpp"
#include "core/formats/mapping_proposal.hpp"
#include "core/formats/mask_keys.hpp"
#include "core/formats/mask_reader.hpp"
#include "core/formats/meant_classes.hpp"
#include "core/formats/missing_masks.hpp"
#include "core/formats/sample_files.hpp"
#include "core/formats/scanned_sample.hpp"
#include "core/formats/split_side.hpp"
#include "core/formats/volume_scan.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFolderMapping = "classes.json";

void append(std::vector<base::Finding>& to, std::vector<base::Finding> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void check_layout_name(const std::string& name) {
  const auto& names = layout_names();
  if (std::ranges::find(names, name) != names.end() || is_annotation_layout(name)) return;
  throw base::Error(base::ErrorKind::usage,
                    {"scanning the data folder", fmt::format("there is no layout '{}'", name),
                     fmt::format("give one of {}", fmt::join(names, ", "))});
}

base::ClassMapping read_mapping(const fs::path& file) {
  std::error_code failure;
  if (!fs::is_regular_file(file, failure)) {
    throw base::Error(
        base::ErrorKind::usage,
        {"reading the class mapping", fmt::format("'{}' is no file", base::display_path(file)),
         "give a JSON file such as {\"0\": {\"class\": 0, \"name\": \"background\"}}"});
  }
  return base::parse_class_mapping(base::read_file(file), base::display_path(file));
}

class Scan {
 public:
  Scan(const ScanOptions& options, std::stop_token stop)
      : options_(options), root_(fs::absolute(options.folder)), stop_(std::move(stop)) {}

  Dataset run(const std::function<void(const ScanProgress&)>& progress) {
    check_layout_name(options_.layout);
    if (!options_.mapping_file.empty()) dataset_.mapping = read_mapping(options_.mapping_file);
    read_files(find_files(), progress);
    settle_mapping();
    settle_background();
    check_bands();
    summarise();
    return std::move(dataset_);
  }

 private:
  std::vector<FilePair> find_files() {
    SampleFiles files = find_sample_files(root_, options_, stop_);
    append(findings(), std::move(files.findings));
    dataset_.summary.layout = std::move(files.layout);
    dataset_.unlabelled = std::move(files.unlabelled);
    dataset_.annotations = std::move(files.annotations);
    dataset_.volumes = std::move(files.volumes);
    meaning_ = std::move(files.meaning);
    listed_ = std::move(files.listed);
    return std::move(files.pairs);
  }

  void read_files(const std::vector<FilePair>& pairs,
                  const std::function<void(const ScanProgress&)>& progress) {
    const auto count = static_cast<std::int64_t>(pairs.size());
    std::atomic<std::int64_t> samples_done{0};
    data::ParallelOptions parallel{.threads = options_.threads, .stop = stop_};
    if (progress) parallel.progress = [&](std::int64_t done) { progress({done, count}); };
    const auto after_part = [&, caller = std::this_thread::get_id()](std::int64_t done,
                                                                     std::int64_t parts) {
      base::throw_if_stopped(stop_, "scanning the data folder");
      if (!progress || std::this_thread::get_id() != caller) return;
      progress({samples_done, count, static_cast<double>(done) / static_cast<double>(parts)});
    };
    const ScanContext context{.annotations = dataset_.annotations.get(), .after_part = after_part};
    scanned_.resize(pairs.size());
    data::parallel_for(count, parallel, [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      scanned_[at] = pairs[at].volume >= 0 ? scan_slice(root_, pairs[at], *dataset_.volumes)
                                           : scan_sample(root_, pairs[at], context);
      ++samples_done;
    });
    std::vector<FileDigest> digests;
    if (dataset_.annotations) digests = dataset_.annotations->digests();
    for (const ScannedSample& sample : scanned_) {
      digests.insert(digests.end(), sample.digests.begin(), sample.digests.end());
      // What is wrong with a whole volume is found with each of its slices.
      const auto is_known = [&](const base::Finding& finding) {
        return sample.files.volume >= 0 &&
               std::ranges::find(findings(), finding) != findings().end();
      };
      std::ranges::remove_copy_if(sample.findings, std::back_inserter(findings()), is_known);
    }
    dataset_.summary.fingerprint = combine_digests(digests);
    std::erase_if(scanned_, [](const ScannedSample& sample) { return !sample.is_usable(); });
  }

  void settle_mapping() {
    if (scanned_.empty()) return;
    if (options_.mapping_file.empty() && !take_folder_mapping()) propose_classes();
    dataset_.summary.mask_keys = count_mask_keys(scanned_, dataset_.mapping);
    std::erase_if(scanned_, [&](const ScannedSample& sample) { return !is_covered(sample); });
  }

  void propose_classes() {
    std::vector<MaskCensus> masks;
    for (const ScannedSample& sample : scanned_) {
      if (!sample.files.mask.empty()) masks.push_back(sample.census);
    }
    if (meaning_) {
      MeantClasses meant = map_as_meant(*meaning_, masks, options_.ignore_value);
      findings().push_back(std::move(meant.finding));
      if (meant.mapping) {
        dataset_.mapping = std::move(*meant.mapping);
        return;
      }
    }
    const bool are_volumes = std::ranges::all_of(
        scanned_, [](const ScannedSample& sample) { return sample.files.volume >= 0; });
    MappingProposal proposal =
        propose_mapping(masks, options_.ignore_value,
                        are_volumes ? RareValues::are_classes : RareValues::are_strays);
    dataset_.mapping = std::move(proposal.mapping);
    append(findings(), std::move(proposal.findings));
  }

  /// Images without a mask are samples of background alone, which must be a class.
  void settle_background() {
    const auto lacks_mask = [](const ScannedSample& s) { return s.files.mask.empty(); };
    const auto first = std::ranges::find_if(scanned_, lacks_mask);
    if (first == scanned_.end()) return;
    const auto label = background_of(dataset_.mapping);
    if (label) {
      dataset_.background = *label;
      return;
    }
    add(base::Severity::error, "background-missing", first->files.image,
        fmt::format("{}: it has no mask, and no class is the background; give --mapping with a "
                    "class named background, or --missing-masks skip",
                    base::display_path(first->files.image)));
    std::erase_if(scanned_, lacks_mask);
  }

  /// A classes.json in the data folder is used when it is a mapping and covers every value in the
  /// masks.
  bool take_folder_mapping() {
    const fs::path file = root_ / kFolderMapping;
    std::error_code failure;
    if (!fs::is_regular_file(file, failure)) return false;
    try {
      dataset_.mapping = base::parse_class_mapping(base::read_file(file), base::display_path(file));
    } catch (const base::Error& error) {
      add(base::Severity::info, "mapping-file-passed-over", kFolderMapping,
          fmt::format("it is no class mapping ({}) and is not used", error.parts().subject));
      return false;
    }
    if (std::ranges::all_of(scanned_, [&](const ScannedSample& s) { return !first_unknown(s); })) {
      add(base::Severity::info, "mapping-from-folder", kFolderMapping,
          "the classes are taken from this file");
      return true;
    }
    add(base::Severity::warning, "mapping-file-passed-over", kFolderMapping,
        "it lacks values that the masks hold and is not used; a mapping is proposed instead");
    return false;
  }

  [[nodiscard]] std::optional<base::MaskKey> first_unknown(const ScannedSample& sample) const {
    const CodeLabels codes(dataset_.mapping, sample.census.coding, sample.census.palette,
                           sample.census.names);
    for (const auto& [code, pixels] : sample.census.pixels_of) {
      if (!codes.label_of(code)) return codes.key_of(code);
    }
    return std::nullopt;
  }

  /// Adds a finding that names value and pixel where the mapping lacks a value.
  bool is_covered(const ScannedSample& sample) {
    if (!first_unknown(sample)) return true;
    try {
      if (sample.files.volume < 0 && sample.files.label_key.empty())
        require_mapped(root_ / sample.files.mask, dataset_.mapping, sample.files.page.value_or(0));
      else
        static_cast<void>(map_labels(read_labels(sample), dataset_.mapping));
    } catch (const base::Error& error) {
      add(base::Severity::error, "value-not-in-mapping", sample.files.mask,
          fmt::format("{}; {}", error.parts().subject, error.parts().remedy));
    }
    return false;
  }

  [[nodiscard]] MaskPixels read_labels(const ScannedSample& sample) const {
    const FilePair& files = sample.files;
    const std::int64_t page = files.page.value_or(0);
    if (files.volume >= 0) return dataset_.volumes->label_slice(files.volume, page);
    return read_label_pixels({.mask = root_ / files.mask,
                              .page = page,
                              .key = files.label_key,
                              .image_size = {sample.height, sample.width}},
                             dataset_.annotations.get())
        .mask;
  }

  void check_bands() {
    if (scanned_.empty()) return;
    const auto has = [&](AlphaContent content) {
      return std::ranges::any_of(scanned_,
                                 [&](const ScannedSample& s) { return s.alpha == content; });
    };
    if (has(AlphaContent::varying)) {
      dataset_.alpha = AlphaBand::keep;
      add(base::Severity::warning, "alpha-kept", {},
          "an alpha band differs between pixels and is used as a band like the others");
    } else if (has(AlphaContent::constant)) {
      dataset_.alpha = AlphaBand::drop;
      add(base::Severity::info, "alpha-dropped", {},
          "the alpha band of the images is the same everywhere and is left out");
    }
    for (ScannedSample& sample : scanned_) {
      if (dataset_.alpha == AlphaBand::keep) sample.channels += sample.alpha_bands;
    }
    compare_with_first();
  }

  void compare_with_first() {
    const ScannedSample first = scanned_.front();
    std::set<std::pair<fs::path, base::PixelType>> told;  // once for all pages of a file
    std::erase_if(scanned_, [&](const ScannedSample& sample) {
      if (sample.channels != first.channels) {
        add(base::Severity::error, "channels-differ", sample.files.image,
            fmt::format("it has {} bands, {} has {}; give images that all have the same bands",
                        sample.channels, base::display_path(first.files.image), first.channels));
        return true;
      }
      if (sample.type != first.type && told.insert({sample.files.image, sample.type}).second) {
        add(base::Severity::warning, "depth-differs", sample.files.image,
            fmt::format("its pixels are {}, those of {} are {}; values are compared as they are",
                        base::name_of(sample.type), base::display_path(first.files.image),
                        base::name_of(first.type)));
      }
      return false;
    });
  }

  void summarise() {
    base::DatasetSummary& summary = dataset_.summary;
    summary.root = base::display_path(root_.lexically_normal());
    summary.samples = static_cast<std::int64_t>(scanned_.size());
    for (std::size_t id = 0; id < dataset_.mapping.class_names.size(); ++id) {
      summary.classes.push_back(
          {.id = static_cast<std::int64_t>(id), .name = dataset_.mapping.class_names[id]});
    }
    for (const auto& [key, id] : dataset_.mapping.ids) {
      if (id != base::kIgnoreLabel)
        summary.classes.at(id).source_values.push_back(base::to_string(key));
    }
    for (const ScannedSample& sample : scanned_) add_sample(sample);
    note_overlaps();
    if (!scanned_.empty()) note_absent_classes();
    if (listed_) set_listed_sides(*listed_, root_, dataset_.samples);
  }

  void note_absent_classes() {
    std::vector<std::string> absent;
    for (const base::ClassSummary& named : dataset_.summary.classes) {
      if (named.pixels == 0) absent.push_back(fmt::format("{} ({})", named.id, named.name));
    }
    if (absent.empty()) return;
    add(base::Severity::warning, "class-without-pixels", {},
        fmt::format("{} of {} classes have no pixels in any mask: {}", absent.size(),
                    dataset_.summary.classes.size(), fmt::join(absent, ", ")));
  }

  void note_overlaps() {
    std::int64_t pixels = 0, images = 0;
    for (const ScannedSample& sample : scanned_) {
      pixels += sample.census.overlapping_pixels;
      images += sample.census.overlapping_pixels > 0 ? 1 : 0;
    }
    if (pixels == 0) return;
    add(base::Severity::info, "objects-overlap", {},
        fmt::format("{} pixels in {} images belong to several objects; the last one counts", pixels,
                    images));
  }

  void add_sample(const ScannedSample& sample) {
    base::DatasetSummary& summary = dataset_.summary;
    const bool is_first = dataset_.samples.empty();
    if (is_first) {
      summary.channels = sample.channels;
      summary.type = sample.type;
    }
    summary.min_height = is_first ? sample.height : std::min(summary.min_height, sample.height);
    summary.min_width = is_first ? sample.width : std::min(summary.min_width, sample.width);
    summary.max_height = std::max(summary.max_height, sample.height);
    summary.max_width = std::max(summary.max_width, sample.width);
    count_classes(sample);
    data::Sample entry{.id = unique_id(sample.files),
                       .image = root_ / sample.files.image,
                       .label_key = sample.files.label_key,
                       .page = sample.files.page.value_or(0),
                       .volume = sample.files.volume,
                       .height = sample.height,
                       .width = sample.width,
                       .pixel_bytes = sample.channels * base::bytes_of(sample.type) + 1,
                       .block = sample.block,
                       .side = side_of_path(sample.files.image),
                       .patient = sample.patient,
                       .series = sample.series};
    for (const fs::path& channel : sample.files.more_images)
      entry.more_images.push_back(root_ / channel);
    if (!sample.files.mask.empty()) entry.mask = root_ / sample.files.mask;
    if (sample.files.valid_area) entry.valid_area = root_ / *sample.files.valid_area;
    dataset_.samples.push_back(std::move(entry));
    dataset_.traits.push_back({sample.picture, sample.geo});
  }

  /// The path as it is shown. Names that differ only in bytes that are no UTF-8 look alike; later
  /// ones get a number.
  std::string unique_id(const FilePair& files) {
    const std::string shown =
        base::display_path(files.image) + (files.page ? fmt::format("#{}", *files.page + 1) : "");
    std::string id = shown;
    for (int number = 2; !ids_.insert(id).second; ++number)
      id = fmt::format("{} ({})", shown, number);
    return id;
  }

  void count_classes(const ScannedSample& sample) {
    base::DatasetSummary& summary = dataset_.summary;
    const CodeLabels codes(dataset_.mapping, sample.census.coding, sample.census.palette,
                           sample.census.names);
    std::vector<std::int64_t> pixels_of(summary.classes.size());
    summary.ignored_pixels += sample.census.ignored_pixels;
    for (const auto& [code, pixels] : sample.census.pixels_of) {
      const std::uint8_t label = codes.label_of(code).value_or(base::kIgnoreLabel);
      (label == base::kIgnoreLabel ? summary.ignored_pixels : pixels_of.at(label)) += pixels;
    }
    if (sample.files.mask.empty()) {
      pixels_of.at(dataset_.background) =
          sample.height * sample.width - sample.census.ignored_pixels;
    }
    for (std::size_t id = 0; id < pixels_of.size(); ++id) {
      summary.classes[id].pixels += pixels_of[id];
      summary.classes[id].images += pixels_of[id] > 0 ? 1 : 0;
    }
    dataset_.class_pixels.push_back(std::move(pixels_of));
  }

  std::vector<base::Finding>& findings() { return dataset_.summary.findings; }

  void add(base::Severity severity, const char* code, const fs::path& file, std::string message) {
    findings().push_back({severity, code, base::display_path(file), std::move(message)});
  }

  const ScanOptions& options_;
  const fs::path root_;
  const std::stop_token stop_;
  std::vector<ScannedSample> scanned_;
  std::set<std::string> ids_;
  std::optional<MaskMeaning> meaning_;
  std::optional<ListedImages> listed_;
  Dataset dataset_;
};

}  // namespace

const std::vector<std::string>& layout_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"auto"};
    for (const LayoutRecogniser& each : layout_recognisers()) all.emplace_back(each.name);
    all.emplace_back("volumes");
    const auto& annotated = annotation_layout_names();
    all.insert(all.end(), annotated.begin(), annotated.end());
    return all;
  }();
  return names;
}

Dataset scan_dataset(const ScanOptions& options,
                     const std::function<void(const ScanProgress&)>& progress,
                     std::stop_token stop) {
  return Scan(options, std::move(stop)).run(progress);
}

void require_usable(const base::DatasetSummary& summary) {
  const auto is_error = [](const base::Finding& finding) {
    return finding.severity == base::Severity::error;
  };
  const auto first = std::ranges::find_if(summary.findings, is_error);
  if (first != summary.findings.end()) {
    const auto others = std::ranges::count_if(summary.findings, is_error) - 1;
    const std::string more = others > 0 ? fmt::format(" (and {} more problems)", others) : "";
    throw base::Error(base::ErrorKind::unusable_data,
                      {"reading the data set", first->message + more,
                       fmt::format("`headroom check` lists every problem of '{}'", summary.root)});
  }
  if (summary.samples == 0) {
    throw base::Error(
        base::ErrorKind::unusable_data,
        {"reading the data set", fmt::format("'{}' has no usable sample", summary.root),
         "run `headroom check` on it"});
  }
}

}  // namespace headroom::formats
