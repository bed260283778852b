#include "core/train/memory_error.hpp"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include "core/base/byte_size.hpp"
#include "core/memory/meter.hpp"

namespace headroom::train {

base::Error memory_error(const std::string& attempted, const std::string& work, c10::Device device,
                         const std::exception& refusal) {
  const memory::MemoryMeter& meter = memory::meter_of(device);
  const memory::MeterReading reading = meter.reading();
  const std::int64_t needed =
      reading.refused_bytes > 0 ? reading.refused_bytes : reading.peak_bytes;
  const std::int64_t budget = meter.budget();
  const auto* of_torch = dynamic_cast<const c10::Error*>(&refusal);
  return {base::ErrorKind::out_of_memory,
          {.attempted = attempted,
           .subject = fmt::format(
               "{} needs at least {}, {}", work, base::format_bytes(needed),
               budget > 0 ? "the budget is " + base::format_bytes(budget) : "more than there is"),
           .remedy = "Try --plan full, a smaller --tile or --batch, or a larger --budget",
           .detail = of_torch != nullptr ? of_torch->what_without_backtrace() : refusal.what()}};
}

}  // namespace headroom::train
