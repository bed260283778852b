#pragma once
// Reads the samples that a person looks at, one after the other at low priority: the chosen one
// first, then small pictures of those in sight. Every method on one thread; reading has its own.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/data/sample_picture.hpp"
#include "core/data/sample.hpp"
#include "core/run/jobs.hpp"
#include "ui/data_folder.hpp"
#include "ui/request.hpp"

namespace headroom::app {

/// What reading the samples of a folder takes.
struct ReadableFolder {
  std::shared_ptr<const ui::DataFolder> folder{};  ///< never null
  std::vector<data::Sample> samples{};             ///< as the folder lists them
  std::shared_ptr<const data::SampleReader> reader{};
};

class SamplePictureLoader {
 public:
  /// `on_news`: any thread; a picture has come.
  explicit SamplePictureLoader(std::function<void()> on_news);

  /// Another folder, or the same one read again; nothing (null): none. Pictures of the one before
  /// are let go.
  void open(std::shared_ptr<const ReadableFolder> folder);
  void look_at(ui::LookAtSamples wanted);
  /// Takes what has been read and begins the next. True where pictures() has changed.
  bool poll();

  [[nodiscard]] const ui::SamplePictures& pictures() const { return pictures_; }
  /// Something that is looked at is still to come.
  [[nodiscard]] bool is_reading() const { return reading_.has_value(); }

 private:
  [[nodiscard]] std::optional<std::size_t> next() const;
  void keep(SamplePicture picture);
  void begin_next();

  std::shared_ptr<const ReadableFolder> folder_{};
  ui::LookAtSamples wanted_{};
  ui::SamplePictures pictures_{};
  std::shared_ptr<const ReadableFolder> reading_of_{};
  std::optional<run::Job<SamplePicture>> reading_{};
  run::JobQueue queue_;  ///< last: it ends first
};

}  // namespace headroom::app
