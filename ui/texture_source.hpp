#pragma once
// Pictures on their way to the graphics card: the dashboard names them, the program's window keeps
// them there. The UI thread.

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::ui {

/// Never changed once it is shared.
struct Picture {
  std::int64_t height = 0, width = 0;
  std::vector<std::uint32_t> pixels{};  ///< [h, w], as IM_COL32 packs them

  [[nodiscard]] std::uint32_t at(std::int64_t y, std::int64_t x) const {
    return pixels[static_cast<std::size_t>(y * width + x)];
  }
};
using SharedPicture = std::shared_ptr<const Picture>;

/// Filtering when a picture is enlarged.
enum class Enlarge { smooth, blocks };

class TextureSource {
 public:
  virtual ~TextureSource() = default;
  /// The texture of `picture`: uploaded at the first call, kept while it is asked for in every
  /// frame.
  [[nodiscard]] ImTextureID texture_of(const SharedPicture& picture, Enlarge enlarge) {
    return do_texture_of(picture, enlarge);
  }

 private:
  [[nodiscard]] virtual ImTextureID do_texture_of(const SharedPicture& picture,
                                                  Enlarge enlarge) = 0;
};

}  // namespace headroom::ui
