#include "core/data/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/text_number.hpp"
#include "core/data/counter_random.hpp"
#include "core/data/sample_groups.hpp"

namespace headroom::data {

namespace {

constexpr std::int64_t kSplitStream = 0x73706c6974;

using Indices = std::vector<std::int64_t>;

[[noreturn]] void fail(std::string subject, std::string remedy) {
  throw base::Error(base::ErrorKind::usage,
                    {"splitting the samples", std::move(subject), std::move(remedy)});
}

base::Finding info(const char* code, std::string message) {
  return {base::Severity::info, code, {}, std::move(message)};
}

Indices of_side(const std::vector<Sample>& samples, SplitSide side) {
  Indices indices;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (samples[i].side == side) indices.push_back(static_cast<std::int64_t>(i));
  return indices;
}

void report_test(std::size_t left_out, std::vector<base::Finding>& findings) {
  if (left_out == 0) return;
  findings.push_back(
      info("test-left-out",
           fmt::format("{} samples of the test neither train nor validate; evaluate the model on "
                       "them when it is done",
                       left_out)));
}

/// All samples but those of the test; all where there are no others.
Indices all_but_test(const std::vector<Sample>& samples, std::vector<base::Finding>& findings) {
  Indices chosen;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (samples[i].side != SplitSide::test) chosen.push_back(static_cast<std::int64_t>(i));
  if (chosen.empty()) return of_side(samples, SplitSide::test);
  report_test(samples.size() - chosen.size(), findings);
  return chosen;
}

SplitResult split_by_sides(const std::vector<Sample>& samples) {
  SplitResult result;
  result.split = {.train = of_side(samples, SplitSide::train),
                  .validation = of_side(samples, SplitSide::validation)};
  result.findings.push_back(info(
      "sides-of-the-data",
      fmt::format("the data's own folders or lists for training and validation give the split: "
                  "{} and {} samples; --split {} would draw another one",
                  result.split.train.size(), result.split.validation.size(), kUsualShare)));
  report_test(of_side(samples, SplitSide::test).size(), result.findings);
  if (const std::size_t others = of_side(samples, SplitSide::none).size(); others > 0) {
    result.findings.push_back(
        info("samples-left-out",
             fmt::format("{} samples are on no side of the data's own split and are not used; "
                         "--split {} would use them",
                         others, kUsualShare)));
  }
  return result;
}

bool has_sides(const std::vector<Sample>& samples) {
  return !of_side(samples, SplitSide::train).empty() &&
         !of_side(samples, SplitSide::validation).empty();
}

/// Pages `first` to before `last` of the chosen ones validate.
SplitResult split_one_file(const Indices& pages, std::int64_t first, std::int64_t last) {
  SplitResult result;
  const auto count = static_cast<std::int64_t>(pages.size());
  for (std::int64_t page = 0; page < count; ++page) {
    const bool validates = page >= first && page < last;
    (validates ? result.split.validation : result.split.train)
        .push_back(pages[static_cast<std::size_t>(page)]);
  }
  result.findings.push_back(
      {base::Severity::warning,
       "one-file-on-both-sides",
       {},
       fmt::format("all samples are pages of one file; {} of them validate, and those beside the "
                   "border are alike",
                   last - first)});
  return result;
}

bool are_of_one_file(const std::vector<Sample>& samples, const Indices& chosen) {
  return std::ranges::all_of(chosen, [&](std::int64_t index) {
    const Sample& sample = samples.at(static_cast<std::size_t>(index));
    return sample.image == samples.at(static_cast<std::size_t>(chosen.front())).image &&
           !sample.part;
  });
}

/// Draws who validates from the chosen samples.
class Drawing {
 public:
  Drawing(const std::vector<Sample>& samples, const Indices& chosen, const SplitOptions& options)
      : options_(options), chosen_(chosen), count_(static_cast<std::int64_t>(chosen.size())) {
    if (count_ < 2) {
      fail("there is one sample only, so that no sample would be left for validation",
           "add more images, or cut the image into blocks with --split-by blocks");
    }
    is_one_file_ = options.by == "sample" && are_of_one_file(samples, chosen);
    SampleGroups grouped = group_samples(samples, chosen, options.by);
    groups_ = std::move(grouped.groups);
    result_.findings = std::move(grouped.findings);
    if (groups_.size() > 1 || is_one_file_) return;
    fail(fmt::format("--split-by {} puts all {} samples into one group", options.by, count_),
         "give another --split-by: at least two groups are needed");
  }

  SplitResult by_share(double share) {
    const auto wanted =
        static_cast<std::int64_t>(std::llround(share * static_cast<double>(count_)));
    const std::int64_t validation = std::clamp<std::int64_t>(wanted, 1, count_ - 1);
    if (is_one_file_) return split_one_file(chosen_, count_ - validation, count_);
    const Permutation order = drawn_order();
    for (std::int64_t position = 0; position < group_count(); ++position) {
      const bool validates =
          position < group_count() - 1 && size_of(result_.split.validation) < validation;
      add(validates, group_at(order[position]));
    }
    return sorted_result();
  }

  SplitResult by_folds() {
    const std::int64_t most = is_one_file_ ? count_ : group_count();
    if (options_.folds > most) {
      fail(fmt::format("{} folds of {} {}", options_.folds, most,
                       options_.by == "sample" ? "files or pages" : "groups of samples"),
           fmt::format("give --folds {} or fewer", most));
    }
    if (is_one_file_) {
      return split_one_file(chosen_, count_ * options_.fold / options_.folds,
                            count_ * (options_.fold + 1) / options_.folds);
    }
    const Permutation order = drawn_order();
    Indices sizes(static_cast<std::size_t>(options_.folds));
    for (std::int64_t position = 0; position < group_count(); ++position) {
      const SampleGroup& group = group_at(order[position]);
      const auto fold = std::ranges::min_element(sizes);
      *fold += size_of(group);
      add(fold - sizes.begin() == options_.fold, group);
    }
    return sorted_result();
  }

 private:
  static std::int64_t size_of(const Indices& indices) {
    return static_cast<std::int64_t>(indices.size());
  }
  [[nodiscard]] std::int64_t group_count() const {
    return static_cast<std::int64_t>(groups_.size());
  }
  [[nodiscard]] Permutation drawn_order() const {
    return {group_count(), options_.seed, kSplitStream};
  }
  [[nodiscard]] const SampleGroup& group_at(std::int64_t index) const {
    return groups_.at(static_cast<std::size_t>(index));
  }

  void add(bool validates, const SampleGroup& group) {
    Indices& side = validates ? result_.split.validation : result_.split.train;
    side.insert(side.end(), group.begin(), group.end());
  }

  SplitResult sorted_result() {
    std::ranges::sort(result_.split.train);
    std::ranges::sort(result_.split.validation);
    return std::move(result_);
  }

  const SplitOptions& options_;
  const Indices& chosen_;
  const std::int64_t count_;
  bool is_one_file_ = false;
  std::vector<SampleGroup> groups_;
  SplitResult result_;
};

double share_of(const std::string& setting) {
  const double share = setting == "auto" ? kUsualShare : base::parse_real(setting).value_or(0);
  if (share > 0 && share < 1) return share;
  fail(fmt::format("the share for validation is {}", share),
       "give a share above 0 and below 1, such as 0.2");
}

}  // namespace

SplitOptions split_options(const base::Settings& settings) {
  return {.from = settings.data.split,
          .by = settings.data.split_by,
          .folds = settings.data.folds,
          .fold = settings.data.fold,
          .seed = settings.step.seed};
}

SplitResult make_split(const std::vector<Sample>& samples, const SplitOptions& options) {
  const bool is_auto = options.from == "auto";
  if (!is_auto && !base::parse_real(options.from)) return split_by_lists(samples, options.from);
  if (is_auto && options.by == "sample" && options.folds == 0 && has_sides(samples))
    return split_by_sides(samples);
  std::vector<base::Finding> findings;
  const Indices chosen = all_but_test(samples, findings);
  Drawing drawing(samples, chosen, options);
  SplitResult result =
      options.folds > 0 ? drawing.by_folds() : drawing.by_share(share_of(options.from));
  result.findings.insert(result.findings.begin(), findings.begin(), findings.end());
  return result;
}

std::vector<base::Finding> find_unlearnable_classes(
    const Split& split, const std::vector<std::vector<std::int64_t>>& class_pixels,
    const std::vector<std::string>& class_names) {
  const auto occurs = [&](const std::vector<std::int64_t>& side, std::size_t id) {
    return std::ranges::any_of(side, [&](std::int64_t sample) {
      return class_pixels.at(static_cast<std::size_t>(sample)).at(id) > 0;
    });
  };
  std::vector<base::Finding> findings;
  for (std::size_t id = 0; id < class_names.size(); ++id) {
    if (occurs(split.validation, id) && !occurs(split.train, id)) {
      findings.push_back({base::Severity::warning,
                          "class-only-in-validation",
                          {},
                          fmt::format("class {} ({}) has pixels in validation samples only and "
                                      "cannot be learned; use another split or seed",
                                      id, class_names[id])});
    }
  }
  return findings;
}

}  // namespace headroom::data
