#pragma once
// Names of files that hold one channel of a sample each: "a_ch0", "a_0001", "a_B8A". Pure; any
// thread.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::formats {

/// Ordered as channels follow each other: by number, B8A behind B08.
struct ChannelMark {
  std::int64_t number = 0;
  std::string text{};  ///< as the name has it: "_ch0"

  friend auto operator<=>(const ChannelMark&, const ChannelMark&) = default;
};

struct ChannelName {
  std::string base{};  ///< the stem without its mark
  ChannelMark mark{};
};

/// Of "0001", "ch0", "B8A": the part of a mark behind its separator.
[[nodiscard]] std::optional<std::int64_t> channel_number(std::string_view mark);

/// Marks are four digits ("_0001"), or a number behind c, ch, channel, b, band or w, in any case,
/// after "_" or "-". Nothing for other stems. Whether a file is a channel, its name alone does not
/// tell: pictures are numbered alike.
[[nodiscard]] std::optional<ChannelName> channel_of_stem(std::string_view stem);

}  // namespace headroom::formats
