#include "app/data/sample_picture_loader.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace headroom::app {
namespace {

/// Thumbnails kept: about 40 MiB.
constexpr std::size_t kMostThumbnails = 200;

}  // namespace

SamplePictureLoader::SamplePictureLoader(std::function<void()> on_news)
    : queue_(std::move(on_news)) {}

void SamplePictureLoader::open(std::shared_ptr<const ReadableFolder> folder) {
  folder_ = std::move(folder);
  wanted_ = {};
  pictures_ = {};
  if (folder_ != nullptr) pictures_.of = folder_->folder;
  if (reading_) reading_->cancel();
}

void SamplePictureLoader::look_at(ui::LookAtSamples wanted) {
  if (folder_ == nullptr) return;
  wanted_ = std::move(wanted);
  begin_next();
}

bool SamplePictureLoader::poll() {
  if (!reading_ || !reading_->is_done()) return false;
  run::Job<SamplePicture> done = std::move(*reading_);
  reading_.reset();
  const bool is_of_this = reading_of_ == folder_;
  try {
    SamplePicture picture = done.take();
    if (is_of_this) keep(std::move(picture));
  } catch (const base::Error&) {
    // Cancelled, as another folder was opened: nobody waits for it.
  }
  begin_next();
  return is_of_this;
}

std::optional<std::size_t> SamplePictureLoader::next() const {
  const std::size_t samples = folder_->samples.size();
  const bool has_chosen = pictures_.chosen && pictures_.chosen->sample == wanted_.chosen;
  if (!has_chosen && wanted_.chosen < samples) return wanted_.chosen;
  const auto missing = std::ranges::find_if(wanted_.others, [&](std::size_t sample) {
    return sample < samples && !pictures_.thumbnails.contains(sample);
  });
  if (missing == wanted_.others.end()) return std::nullopt;
  return *missing;
}

void SamplePictureLoader::keep(SamplePicture picture) {
  const std::size_t sample = picture.view.sample;
  auto& thumbnails = pictures_.thumbnails;
  if (thumbnails.size() >= kMostThumbnails) {
    std::erase_if(thumbnails, [&](const auto& each) {
      return std::ranges::find(wanted_.others, each.first) == wanted_.others.end();
    });
  }
  thumbnails[sample] = std::move(picture.thumbnail);
  if (sample == wanted_.chosen) pictures_.chosen = std::move(picture.view);
}

void SamplePictureLoader::begin_next() {
  if (folder_ == nullptr || reading_) return;
  const std::optional<std::size_t> sample = next();
  if (!sample) return;
  reading_of_ = folder_;
  reading_ =
      queue_.submit(run::JobPriority::low, [folder = folder_, index = *sample](run::JobContext&) {
        return read_sample_picture(*folder->reader, folder->samples[index], index);
      });
}

}  // namespace headroom::app
