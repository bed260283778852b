#include "core/run/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/io_error.hpp"
#include "core/base/text_number.hpp"

namespace headroom::run {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Control characters, and U+FFFE and U+FFFF, stand in no XML document.
bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

bool is_noncharacter(std::string_view rest) {
  return rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF");
}

}  // namespace

std::string escaped(std::string_view text) {
  const std::string valid = base::display_text(std::string(text));
  std::string result;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const char c = valid[i];
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\'') {
      result += "&#39;";
    } else if (is_control(c)) {
      result += kReplacement;
    } else if (is_noncharacter(std::string_view(valid).substr(i))) {
      result += kReplacement;
      i += 2;
    } else {
      result += c;
    }
  }
  return result;
}

std::string jpeg_address(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string address = "data:image/jpeg;base64,";
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? std::uint32_t{static_cast<unsigned char>(bytes[i + k])} : 0U;
    };
    const std::uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
    const std::size_t present = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t digit = 0; digit < 4; ++digit) {
      address += digit <= present ? kDigits[three >> (18 - 6 * digit) & 63U] : '=';
    }
  }
  return address;
}

std::string shown(const nlohmann::ordered_json& value, Notation notation) {
  if (!value.is_number()) return "–";
  switch (notation) {
    case Notation::bytes:
      return base::format_bytes(value.get<std::int64_t>());
    case Notation::seconds:
      return base::format_duration(value.get<double>());
    case Notation::milliseconds:
      return fmt::format("{:.1f} ms", 1000 * value.get<double>());
    case Notation::score:
      return fmt::format("{:.3f}", value.get<double>());
    case Notation::count:
      return base::format_count(value.get<std::int64_t>());
    case Notation::ratio:
      return fmt::format("{:.2f} ×", value.get<double>());
    case Notation::real:
      return fmt::format("{:.4g}", value.get<double>());
  }
  return "";
}

}  // namespace headroom::run
