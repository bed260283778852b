// Makes decimal commas and grouped thousands the rule while it lives, in C++ and, where the machine
// has such a locale, in C.
#pragma once

#include <clocale>
#include <locale>
#include <string>

namespace headroom::tests {

class CommaLocale {
 public:
  CommaLocale() : outer_(std::locale::global(std::locale(std::locale::classic(), new Commas))) {
    for (const char* const name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8"}) {
      if (std::setlocale(LC_ALL, name) != nullptr) break;
    }
  }
  ~CommaLocale() {
    std::locale::global(outer_);
    std::setlocale(LC_ALL, "C");
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

 private:
  class Commas : public std::numpunct<char> {
   protected:
    [[nodiscard]] char do_decimal_point() const override { return ','; }
    [[nodiscard]] char do_thousands_sep() const override { return '.'; }
    [[nodiscard]] std::string do_grouping() const override { return "\3"; }
  };

  std::locale outer_;
};

}  // namespace headroom::tests
