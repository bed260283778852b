// Does data of any size work in little memory and little time? Makes what it needs in FOLDER, does
// each part in a process of its own and says what it took.
//
//   large_data_check FOLDER [HEADROOM]
//
// scene: a GeoTIFF of 40000 x 40000 pixels in 1 GiB of address space: scanned, measured, and 20
//   batches of tiles. scan: 500 images of 1000 x 1000 pixels with their masks; stopped: the same,
//   stopped after half. Files above a gigabyte that can or cannot be read by parts. With the
//   program HEADROOM also a training of 20 steps on the scene, validated on a second one, and its
//   prediction.
#include <cpl_string.h>
#include <fmt/format.h>
#include <gdal_priv.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/elapsed.hpp"
#include "core/base/error.hpp"
#include "core/data/normalisation.hpp"
#include "core/data/prefetcher.hpp"
#include "core/formats/gdal_library.hpp"
#include "core/formats/raster_parts.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/byte_writer.hpp"
#include "tests/core/formats/large_scene.hpp"
#include "tests/core/formats/raster_files.hpp"

namespace headroom {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
constexpr std::int64_t kSceneSide = 40000, kOtherSide = 6000, kSpacing = 2500;

double seconds_since(Clock::time_point start) { return base::seconds_between(start, Clock::now()); }

/// `work` in a process of its own whose address space is limited (0: is not). Says what it used;
/// whether it ended well.
bool in_process(const std::string& name, std::int64_t address_space_bytes,
                const std::function<void()>& work) {
  formats::prepare_gdal();
  std::fflush(stdout);
  const Clock::time_point start = Clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    const auto bytes = static_cast<rlim_t>(address_space_bytes);
    const rlimit limit{bytes, bytes};
    if (address_space_bytes > 0) ::setrlimit(RLIMIT_AS, &limit);
    int code = 0;
    try {
      work();
    } catch (const std::exception& problem) {
      fmt::print("{}: {}\n", name, problem.what());
      code = 1;
    }
    std::fflush(stdout);
    ::_exit(code);
  }
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  const bool is_good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  fmt::print("{}: {}, {:.1f} s, {} MiB resident at most\n", name,
             is_good               ? "done"
             : WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                   : "refused",
             seconds_since(start), usage.ru_maxrss / 1024);
  return is_good;
}

void use_scene(const fs::path& folder) {
  Clock::time_point start = Clock::now();
  std::int64_t reports = 0;
  const formats::Dataset dataset = formats::scan_dataset(
      {.folder = folder}, [&reports](const formats::ScanProgress&) { ++reports; });
  formats::require_usable(dataset.summary);
  fmt::print("  scanned in {:.1f} s, {} reports of progress, class 1 has {} pixels\n",
             seconds_since(start), reports, dataset.summary.classes.at(1).pixels);

  start = Clock::now();
  const auto cache = std::make_shared<data::SampleCache>(
      dataset.samples, formats::make_sample_reader(dataset), kGiB / 4);
  const data::NormalisationResult measured = data::measure_normalisation(
      *cache, {0}, {.channels = dataset.summary.channels, .threads = 2}, {});
  fmt::print("  measured in {:.1f} s, mean {:.4f}\n", seconds_since(start),
             measured.normalisation.shift.at(0));

  start = Clock::now();
  data::Prefetcher batches(
      data::TrainingTiles(
          {.samples = cache, .chosen = {0}, .normalisation = measured.normalisation}, {}),
      {});
  for (std::int64_t k = 0; k < 20; ++k) static_cast<void>(batches.batch(k, {}));
  fmt::print("  20 batches of 2 tiles of 512 x 512 in {:.1f} s, {} MiB kept\n",
             seconds_since(start), cache->cached_bytes() >> 20);
}

void write_small_pairs(const fs::path& folder) {
  constexpr std::int64_t kPairs = 500, kSide = 1000;
  std::vector<double> values;
  for (std::int64_t i = 0; i < kSide * kSide; ++i)
    values.push_back((i / kSide / 100 + i % kSide / 100) % 2 == 0 ? 0 : 255);
  tests::write_grey(folder / "images/0.png", kSide, kSide, values);
  tests::write_grey(folder / "masks/0.png", kSide, kSide, values);
  for (std::int64_t i = 1; i < kPairs; ++i) {
    for (const char* side : {"images", "masks"})
      fs::copy_file(folder / side / "0.png", folder / side / fmt::format("{}.png", i));
  }
}

void scan_small_pairs(const fs::path& folder, bool is_stopped) {
  std::stop_source stop;
  Clock::time_point stopped_at = Clock::now();
  std::int64_t reports = 0;
  try {
    static_cast<void>(formats::scan_dataset(
        {.folder = folder},
        [&](const formats::ScanProgress& progress) {
          ++reports;
          if (is_stopped && 2 * progress.samples_done > progress.samples) {
            stop.request_stop();
            stopped_at = Clock::now();
          }
        },
        stop.get_token()));
  } catch (const base::Error& error) {
    if (error.kind() != base::ErrorKind::interrupted) throw;
    fmt::print("  ended {:.3f} s after it was stopped\n", seconds_since(stopped_at));
  }
  fmt::print("  {} reports of progress\n", reports);
}

void read_by_parts(const fs::path& file) {
  formats::PageReader reader(file, 0);
  const auto parts = formats::parts_of(reader.info());
  for (const auto& part : parts) static_cast<void>(reader.read(part));
  fmt::print("  {}x{} pixels in {} parts\n", reader.info().width, reader.info().height,
             parts.size());
}

/// One band of 8 bits, all 0.
void write_blank(const fs::path& file, const std::string& driver, std::int64_t side,
                 const std::vector<std::string>& options) {
  const auto pixels = static_cast<int>(side);
  GDALDriverManager& drivers = *GetGDALDriverManager();
  const fs::path sparse = fs::path(file) += ".sparse";
  GDALDriver& tiff = *drivers.GetDriverByName("GTiff");
  CPLStringList creation;
  creation.AddString("SPARSE_OK=TRUE");
  GDALDatasetUniquePtr source(
      tiff.Create(sparse.c_str(), pixels, pixels, 1, GDT_Byte, creation.List()));
  CPLStringList copy;
  for (const std::string& option : options) copy.AddString(option.c_str());
  GDALDatasetUniquePtr written(
      drivers.GetDriverByName(driver.c_str())
          ->CreateCopy(file.c_str(), source.get(), FALSE, copy.List(), nullptr, nullptr));
  written.reset();
  source.reset();
  fs::remove(sparse);
}

/// [MS-WMF] 2.2.2.3: 24 bits per pixel, bottom up; all pixels are a hole in the file.
void write_sparse_bmp(const fs::path& file, std::int32_t side) {
  constexpr std::uint32_t kHeaderBytes = 54;
  const auto pixel_bytes = static_cast<std::uint32_t>(3 * side) * static_cast<std::uint32_t>(side);
  std::string bytes(kHeaderBytes, '\0');
  bytes[0] = 'B';
  bytes[1] = 'M';
  tests::put_at(bytes, 2, kHeaderBytes + pixel_bytes);
  tests::put_at(bytes, 10, kHeaderBytes);
  tests::put_at(bytes, 14, std::uint32_t{40});
  tests::put_at(bytes, 18, side);
  tests::put_at(bytes, 22, side);
  tests::put_at(bytes, 26, std::uint16_t{1});
  tests::put_at(bytes, 28, std::uint16_t{24});
  tests::put_at(bytes, 34, pixel_bytes);
  tests::write_bytes(file, bytes);
  fs::resize_file(file, kHeaderBytes + std::uintmax_t{pixel_bytes});
}

/// The program with these arguments, without its output.
void run_program(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv(pointers.front(), pointers.data());
  throw std::runtime_error("cannot start " + arguments.front());
}

bool train_and_predict(const std::string& program, const fs::path& folder) {
  const fs::path split = folder / "split.json", run = folder / "run", data = folder / "scene";
  tests::write_text(split, R"({"train": ["images/a.tif"], "val": ["images/b.tif"]})");
  const std::vector<std::string> train = {
      program,    "train",   data.string(),     "--out",    run.string(), "--split", split.string(),
      "--levels", "2",       "--base-channels", "2",        "--tile",     "256",     "--steps",
      "20",       "--cache", "128MiB",          "--device", "cpu"};
  const std::vector<std::string> predict = {program,      "predict",
                                            run.string(), (data / "images/a.tif").string(),
                                            "--out",      (folder / "predicted").string(),
                                            "--device",   "cpu"};
  const bool is_trained = in_process("train", 0, [&] { run_program(train); });
  return is_trained && in_process("predict", 0, [&] { run_program(predict); });
}

int check(const fs::path& folder, const std::string& program) {
  tests::write_large_scene(folder / "scene", "a", kSceneSide, kSpacing);
  bool is_good = in_process("scene", kGiB, [&] { use_scene(folder / "scene"); });

  write_small_pairs(folder / "pairs");
  is_good &= in_process("scan", 0, [&] { scan_small_pairs(folder / "pairs", false); });
  is_good &= in_process("stopped", 0, [&] { scan_small_pairs(folder / "pairs", true); });

  write_blank(folder / "blank.png", "PNG", 33000, {});
  write_blank(folder / "strip.tif", "GTiff", 33000, {"BLOCKYSIZE=33000", "COMPRESS=DEFLATE"});
  write_blank(folder / "rows.tif", "GTiff", 33000, {"BLOCKYSIZE=33000", "SPARSE_OK=TRUE"});
  write_sparse_bmp(folder / "sparse.bmp", 19500);
  is_good &= !in_process("blank.png", kGiB, [&] { read_by_parts(folder / "blank.png"); });
  for (const char* name : {"strip.tif", "rows.tif", "sparse.bmp"})
    is_good &= in_process(name, kGiB, [&] { read_by_parts(folder / name); });

  if (!program.empty()) {
    tests::write_large_scene(folder / "scene", "b", kOtherSide, kSpacing);
    is_good &= train_and_predict(program, folder);
  }
  return is_good ? 0 : 1;
}

}  // namespace
}  // namespace headroom

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || std::filesystem::exists(argv[1])) {
    fmt::print(stderr, "usage: large_data_check NEW_FOLDER [HEADROOM]\n");
    return 2;
  }
  return headroom::check(argv[1], argc > 2 ? argv[2] : "");
}
