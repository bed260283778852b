#include "core/base/image.hpp"

namespace headroom::base {

std::int64_t bytes_of(PixelType type) {
  switch (type) {
    case PixelType::u8:
      return 1;
    case PixelType::u16:
    case PixelType::i16:
      return 2;
    case PixelType::u32:
    case PixelType::i32:
    case PixelType::f32:
      return 4;
    case PixelType::f64:
      return 8;
  }
  return 0;
}

const char* name_of(PixelType type) {
  switch (type) {
    case PixelType::u8:
      return "uint8";
    case PixelType::u16:
      return "uint16";
    case PixelType::i16:
      return "int16";
    case PixelType::u32:
      return "uint32";
    case PixelType::i32:
      return "int32";
    case PixelType::f32:
      return "float32";
    case PixelType::f64:
      return "float64";
  }
  return "";
}

}  // namespace headroom::base
