#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "app/command_line.hpp"
#include "app/console.hpp"
#include "app/signal_watch.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/memory/meter.hpp"
#include "core/memory/runtime.hpp"

namespace headroom::app {
namespace {

/// A name in it may have line breaks; the message has none.
int report(base::ErrorKind kind, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  write_errors(fmt::format("headroom: {}\n", message));
  return static_cast<int>(kind);
}

/// LibTorch's messages go on with a stack trace.
std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

int run_program(int argument_count, const char* const* arguments) {
  const Invocation invocation = parse_command_line(argument_count, arguments);
  if (!std::holds_alternative<ShowText>(invocation)) memory::install_runtime();
  return std::visit([](const auto& command) { return perform(command); }, invocation);
}

}  // namespace
}  // namespace headroom::app

int main(int argument_count, char** arguments) {
  using namespace headroom;
  app::fill_standard_descriptors();
  app::prepare_signals();
  try {
    return app::run_program(argument_count, arguments);
  } catch (const base::Error& error) {
    return app::report(error.kind(), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    const base::Error problem =
        base::io_error("reading or writing files", error.path1(), error.code().value());
    return app::report(problem.kind(), problem.what());
  } catch (const std::exception& error) {
    if (memory::is_out_of_memory(error))
      return app::report(
          base::ErrorKind::out_of_memory,
          "allocating memory: there is not enough. Give a smaller --tile or --batch, "
          "or close other programs");
    return app::report(
        base::ErrorKind::internal,
        fmt::format("internal error: {}. Please report it", app::first_line(error.what())));
  }
}
