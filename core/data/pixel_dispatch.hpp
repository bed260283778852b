#pragma once
// From a pixel type known at run time to code compiled for it. Pure; any thread.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/image.hpp"

namespace headroom::data {

/// Calls visit(std::type_identity<T>{}) with the C++ type of one value.
template <typename Visitor>
decltype(auto) dispatch_pixel_type(base::PixelType type, Visitor&& visit) {
  switch (type) {
    case base::PixelType::u8:
      return std::forward<Visitor>(visit)(std::type_identity<std::uint8_t>{});
    case base::PixelType::u16:
      return std::forward<Visitor>(visit)(std::type_identity<std::uint16_t>{});
    case base::PixelType::i16:
      return std::forward<Visitor>(visit)(std::type_identity<std::int16_t>{});
    case base::PixelType::u32:
      return std::forward<Visitor>(visit)(std::type_identity<std::uint32_t>{});
    case base::PixelType::i32:
      return std::forward<Visitor>(visit)(std::type_identity<std::int32_t>{});
    case base::PixelType::f32:
      return std::forward<Visitor>(visit)(std::type_identity<float>{});
    case base::PixelType::f64:
      return std::forward<Visitor>(visit)(std::type_identity<double>{});
  }
  throw base::Error(base::ErrorKind::internal,
                    {"working on pixels", "unknown pixel type", "report this"});
}

/// The image's values, rows top to bottom, bands interleaved. T must be what image.type says.
template <typename T>
[[nodiscard]] const T* values_of(const base::Image& image) {
  return reinterpret_cast<const T*>(image.pixels.data());
}

}  // namespace headroom::data
