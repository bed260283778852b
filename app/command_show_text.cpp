#include "app/commands.hpp"
#include "app/console.hpp"

namespace headroom::app {

int perform(const ShowText& command) {
  write_output(command.text);
  return 0;
}

}  // namespace headroom::app
