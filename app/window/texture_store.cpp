#include "app/window/texture_store.hpp"

#include <imgui_impl_opengl3_loader.h>

namespace headroom::app {
namespace {

std::uint32_t upload(const ui::Picture& picture, ui::Enlarge enlarge) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                  enlarge == ui::Enlarge::blocks ? GL_NEAREST : GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, static_cast<GLsizei>(picture.width),
               static_cast<GLsizei>(picture.height), 0, GL_RGBA, GL_UNSIGNED_BYTE,
               picture.pixels.data());
  return name;
}

}  // namespace

TextureStore::~TextureStore() {
  for (auto& [key, texture] : textures_) glDeleteTextures(1, &texture.name);
}

ImTextureID TextureStore::do_texture_of(const ui::SharedPicture& picture, ui::Enlarge enlarge) {
  Texture& texture = textures_[{picture.get(), enlarge}];
  if (texture.name == 0) {
    texture.picture = picture;
    texture.name = upload(*picture, enlarge);
  }
  texture.is_used = true;
  return texture.name;
}

void TextureStore::end_frame() {
  for (auto entry = textures_.begin(); entry != textures_.end();) {
    Texture& texture = entry->second;
    if (std::exchange(texture.is_used, false)) {
      ++entry;
    } else {
      glDeleteTextures(1, &texture.name);
      entry = textures_.erase(entry);
    }
  }
}

}  // namespace headroom::app
