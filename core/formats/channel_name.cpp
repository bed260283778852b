#include "core/formats/channel_name.hpp"

#include <algorithm>
#include <array>

#include "core/base/text_number.hpp"
#include "core/formats/folder_roles.hpp"

namespace headroom::formats {

namespace {

constexpr std::array<std::string_view, 6> kWords = {"c", "ch", "channel", "b", "band", "w"};
constexpr std::string_view kDigits = "0123456789";

}  // namespace

std::optional<std::int64_t> channel_number(std::string_view mark) {
  std::string text = lower_case(mark);
  if (text == "b8a") text = "b8";  // Sentinel-2 has both
  const std::size_t first = std::min(text.find_first_of(kDigits), text.size());
  const std::string_view word = std::string_view(text).substr(0, first);
  const std::string_view digits = std::string_view(text).substr(first);
  if (digits.empty() || digits.size() > 4 ||
      digits.find_first_not_of(kDigits) != std::string_view::npos) {
    return std::nullopt;
  }
  const bool is_mark =
      word.empty() ? digits.size() == 4 : std::ranges::find(kWords, word) != kWords.end();
  return is_mark ? base::parse_integer(digits) : std::nullopt;
}

std::optional<ChannelName> channel_of_stem(std::string_view stem) {
  const std::size_t separator = stem.find_last_of("_-");
  if (separator == std::string_view::npos || separator == 0) return std::nullopt;
  const auto number = channel_number(stem.substr(separator + 1));
  if (!number) return std::nullopt;
  return ChannelName{std::string(stem.substr(0, separator)),
                     {*number, std::string(stem.substr(separator))}};
}

}  // namespace headroom::formats
