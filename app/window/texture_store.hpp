#pragma once
// Pictures of the dashboard as OpenGL textures. Owned by the window, used on its thread with its
// context current.

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "ui/texture_source.hpp"

namespace headroom::app {

class TextureStore final : public ui::TextureSource {
 public:
  TextureStore() = default;
  ~TextureStore() override;
  TextureStore(const TextureStore&) = delete;
  TextureStore& operator=(const TextureStore&) = delete;

  /// At the end of a frame: frees what was not asked for in it.
  void end_frame();
  [[nodiscard]] std::size_t size() const { return textures_.size(); }

 private:
  struct Texture {
    ui::SharedPicture picture{};  ///< keeps the key's address from being used again
    std::uint32_t name = 0;
    bool is_used = false;
  };
  using Key = std::pair<const ui::Picture*, ui::Enlarge>;

  [[nodiscard]] ImTextureID do_texture_of(const ui::SharedPicture& picture,
                                          ui::Enlarge enlarge) override;

  std::map<Key, Texture> textures_{};
};

}  // namespace headroom::app
