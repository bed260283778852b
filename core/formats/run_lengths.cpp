#include "core/formats/run_lengths.hpp"

#include "core/base/text_number.hpp"

namespace headroom::formats {

namespace {

/// More pixels than any image has; keeps sums far from the limits of 64 bits.
constexpr std::int64_t kMostPixels = std::int64_t{1} << 50;

/// Takes one number of five-bit groups, the lowest first, from the front of `text`.
std::optional<std::int64_t> take_compressed(std::string_view& text) {
  constexpr int kMostGroups = 11;  // 55 bits
  std::int64_t value = 0;
  for (int group = 0; group < kMostGroups && !text.empty(); ++group) {
    const int bits = text.front() - '0';
    text.remove_prefix(1);
    if (bits < 0 || bits > 63) return std::nullopt;
    value |= std::int64_t{bits & 31} << 5 * group;
    const bool is_last = (bits & 32) == 0;
    if (!is_last) continue;
    if ((bits & 16) != 0) value -= std::int64_t{1} << 5 * (group + 1);
    return value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<std::int64_t>> parse_compressed_counts(std::string_view text) {
  std::vector<std::int64_t> counts;
  while (!text.empty()) {
    std::optional<std::int64_t> count = take_compressed(text);
    if (!count) return std::nullopt;
    if (counts.size() > 2) *count += counts[counts.size() - 2];
    if (*count < 0 || *count > kMostPixels) return std::nullopt;
    counts.push_back(*count);
  }
  return counts;
}

std::optional<std::vector<ColumnRun>> runs_of_counts(std::span<const std::int64_t> counts,
                                                     std::int64_t pixels) {
  std::vector<ColumnRun> runs;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0 || counts[i] > pixels - at) return std::nullopt;
    const bool is_inside = i % 2 == 1;
    if (is_inside && counts[i] > 0) runs.push_back({at, counts[i]});
    at += counts[i];
  }
  return runs;
}

std::optional<std::vector<ColumnRun>> parse_start_length_pairs(std::string_view text) {
  std::vector<std::int64_t> numbers;
  constexpr std::string_view kBlanks = " \t\r\n";
  for (;;) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) break;
    text.remove_prefix(first);
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    const std::optional<std::int64_t> number = base::parse_integer(word);
    if (!number || *number < 1 || *number > kMostPixels) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.size() % 2 != 0) return std::nullopt;
  std::vector<ColumnRun> runs;
  for (std::size_t i = 0; i < numbers.size(); i += 2)
    runs.push_back({numbers[i] - 1, numbers[i + 1]});
  return runs;
}

}  // namespace headroom::formats
