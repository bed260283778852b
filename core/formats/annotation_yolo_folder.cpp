#include "core/formats/annotation_yolo_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/data/parallel_for.hpp"
#include "core/formats/annotation_yolo.hpp"
#include "core/formats/folder_listing.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

bool is_text(const fs::path& file) { return lower_extension(file) == ".txt"; }

bool may_be_yolo(const fs::path& file) {
  const std::string extension = lower_extension(file);
  return extension == ".txt" || extension == ".yaml" || extension == ".yml";
}

bool is_class_list(const fs::path& file) {
  return !is_text(file) || file.filename() == "classes.txt";
}

class YoloSearch {
 public:
  YoloSearch(const AnnotationScan& scan, const ImageNames& images) : scan_(scan), images_(images) {}

  YoloDocuments run() {
    for (const ListedFolder& folder : list_files(scan_.root, may_be_yolo, scan_.stop).folders) {
      for (const fs::path& name : folder.names) files_.push_back(folder.path / name);
    }
    read_texts();
    if (std::ranges::none_of(texts_, [](const Text& text) { return text.is_yolo; })) return {};
    read_names();
    for (const Text& text : texts_) take(text);
    return std::move(result_);
  }

 private:
  struct Text {
    fs::path file{};
    std::string content{};
    bool is_yolo = false;
    std::optional<FileDigest> digest{};
  };

  void read_texts() {
    for (const fs::path& file : files_) {
      if (!is_class_list(file)) texts_.push_back({.file = file});
    }
    data::parallel_for(static_cast<std::int64_t>(texts_.size()),
                       {.threads = scan_.threads, .stop = scan_.stop}, [&](std::int64_t i) {
                         Text& text = texts_[static_cast<std::size_t>(i)];
                         text.content = base::read_file(scan_.root / text.file);
                         text.is_yolo = is_yolo(text.content);
                         text.digest =
                             digest_file(scan_.root / text.file, base::display_path(text.file));
                       });
  }

  void read_names() {
    for (const fs::path& file : files_) {
      if (!is_class_list(file)) continue;
      try {
        if (auto names = read_yolo_names(scan_.root, file)) {
          names_.push_back(std::move(*names));
          result_.digests.push_back(digest_file(scan_.root / file, base::display_path(file)));
        }
      } catch (const base::Error& error) {
        result_.findings.push_back(
            {base::Severity::error, "annotations-unreadable", base::display_path(file),
             fmt::format("{}; {}", error.parts().subject, error.parts().remedy)});
      }
    }
  }

  void take(const Text& text) {
    AnnotationDocument document = parse_yolo(text.content, text.file, names_for(text.file));
    const auto found = images_.find(text.file.parent_path(), document.images.front().name);
    if (!text.is_yolo && found.size() != 1) return;
    result_.documents.push_back(std::move(document));
    result_.digests.push_back(*text.digest);
  }

  [[nodiscard]] const std::vector<std::string>& names_for(const fs::path& file) const {
    static const std::vector<std::string> none;
    const YoloNames* best = names_.empty() ? nullptr : &names_.front();
    std::ptrdiff_t best_depth = -1;
    for (const YoloNames& names : names_) {
      const fs::path folder = names.file.parent_path();
      const auto depth = std::distance(folder.begin(), folder.end());
      const bool is_above =
          std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
          folder.end();
      if (!is_above || depth <= best_depth) continue;
      best = &names;
      best_depth = depth;
    }
    return best == nullptr ? none : best->names;
  }

  const AnnotationScan& scan_;
  const ImageNames& images_;
  std::vector<fs::path> files_;
  std::vector<Text> texts_;
  std::vector<YoloNames> names_;
  YoloDocuments result_;
};

}  // namespace

YoloDocuments find_yolo_documents(const AnnotationScan& scan, const ImageNames& images) {
  return YoloSearch(scan, images).run();
}

}  // namespace headroom::formats
