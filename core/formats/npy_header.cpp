#include "core/formats/npy_header.hpp"

#include <charconv>

namespace headroom::formats {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<NpyHeader> parse() {
    if (!take('{')) return std::nullopt;
    while (!take('}')) {
      if (!parse_entry()) return std::nullopt;
      if (!take(',') && !is_next('}')) return std::nullopt;
    }
    skip_space();
    if (!text_.empty() || !has_descr_ || !has_order_ || !has_shape_) return std::nullopt;
    return header_;
  }

 private:
  void skip_space() {
    const auto first = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(first == std::string_view::npos ? text_.size() : first);
  }

  bool is_next(char c) {
    skip_space();
    return !text_.empty() && text_.front() == c;
  }

  bool take(char c) {
    if (!is_next(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool take(std::string_view word) {
    skip_space();
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::optional<std::string> take_string() {
    skip_space();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return std::nullopt;
    const auto end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }

  bool parse_entry() {
    const auto key = take_string();
    if (!key || !take(':')) return false;
    if (*key == "descr") return parse_descr();
    if (*key == "fortran_order") return parse_order();
    return *key == "shape" && parse_shape();
  }

  bool parse_descr() {
    const auto descr = take_string();
    if (descr) header_.descr = *descr;
    has_descr_ = descr.has_value();
    return has_descr_;
  }

  bool parse_order() {
    header_.is_fortran_order = take(std::string_view("True"));
    has_order_ = header_.is_fortran_order || take(std::string_view("False"));
    return has_order_;
  }

  bool parse_shape() {
    header_.shape.clear();
    has_shape_ = take('(');
    while (has_shape_ && !take(')')) {
      skip_space();
      std::int64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc{} || size < 0) return false;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      take('L');  // as Python 2 wrote it
      header_.shape.push_back(size);
      if (!take(',') && !is_next(')')) return false;
    }
    return has_shape_;
  }

  std::string_view text_;
  NpyHeader header_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

}  // namespace

std::optional<NpyHeader> parse_npy_header(std::string_view text) { return Parser(text).parse(); }

}  // namespace headroom::formats
