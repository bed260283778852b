// What surrounds the program: terminals, closed outputs, odd paths, locales, and the first start.
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "tests/app/cli_fixture.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Surroundings : public CliTest {};

TEST_F(Surroundings, HelpOfEveryCommand_NamesItsSettingsAndSucceeds) {
  EXPECT_THAT(run({"--help"}).output, HasSubstr("verify"));
  EXPECT_THAT(run({"--version"}).output, testing::StartsWith("headroom "));
  for (const std::string command : {"sample", "check", "train", "evaluate", "predict", "bench",
                                    "verify", "plan", "fit", "devices"}) {
    const auto result = run({command, "--help"});
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_THAT(result.output, HasSubstr("--json")) << command;
    EXPECT_EQ(result.errors, "");
  }
  const std::string help = run({"train", "--help"}).output;
  for (const char* flag :
       {"--base-channels", "--tile", "--budget", "--mapping", "--lr", "--no-augment"})
    EXPECT_THAT(help, HasSubstr(flag));
}

TEST_F(Surroundings, Devices_ListsTheCpuWithItsMemory) {
  const auto document = run_json({"devices"});
  EXPECT_EQ(document["devices"][0]["id"], "cpu");
  EXPECT_GT(document["devices"][0]["available_bytes"], 0);
  EXPECT_GE(document["devices"][0]["reserved_bytes"], document["devices"][0]["allocated_bytes"]);
  EXPECT_GE(document["devices"][0]["used_bytes"], document["devices"][0]["used_by_others_bytes"]);
  EXPECT_THAT(run({"devices"}).output, HasSubstr("torch"));
}

TEST_F(Surroundings, Bench_MeasuresEachPlan) {
  const auto document =
      run_json({"bench", "--levels", "3", "--base-channels", "8", "--tile", "64", "--batch", "2",
                "--repeat", "2", "--warmup", "1", "--precision", "fp32", "--plans",
                "keep,full,enc1=full,dec1=light,light", "--plans", "enc1=full,dec1=keep"});
  ASSERT_EQ(document["cases"].size(), 5U);
  EXPECT_EQ(document["cases"][2]["plan"], "enc1=full,dec1=light");
  EXPECT_EQ(document["cases"][3]["plan"], "light");
  EXPECT_EQ(document["cases"][4]["plan"], "enc1=full");
  EXPECT_LT(document["cases"][1]["peak_bytes"], document["cases"][0]["peak_bytes"]);
  EXPECT_GT(document["cases"][0]["phases"]["forward"], 0.0);
  EXPECT_EQ(document["cases"][0]["seconds_per_step"]["n"], 2);
}

TEST_F(Surroundings, BenchTimeline_AsJson_NamesTheTensorsOfEachPeak) {
  const auto document =
      run_json({"bench", "--levels", "2", "--base-channels", "8", "--tile", "64", "--repeat", "1",
                "--warmup", "1", "--plans", "keep,enc1=full", "--timeline", at("timeline.json")});
  const auto steps = nlohmann::json::parse(read_text(at("timeline.json")))["steps"];
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[1]["plan"], "enc1=full");
  for (std::size_t c = 0; c < 2; ++c) {
    const auto& peak = steps[c]["peak"];
    EXPECT_EQ(peak["bytes"], document["cases"][c]["peak_total_bytes"]);
    std::int64_t bytes = peak["unnamed"]["bytes"];
    for (const auto& tensor : peak["tensors"]) bytes += tensor["bytes"].get<std::int64_t>();
    EXPECT_EQ(bytes, peak["bytes"]);
  }
}

TEST_F(Surroundings, BenchTimeline_AsCsv_HasARowAPoint) {
  ASSERT_EQ(run({"bench", "--levels", "2", "--base-channels", "4", "--tile", "32", "--repeat", "1",
                 "--warmup", "0", "--plans", "keep", "--timeline", at("timeline.csv")})
                .exit_code,
            0);
  const std::string text = read_text(at("timeline.csv"));
  EXPECT_THAT(text, testing::StartsWith("plan,step,seconds,phase,stage,enc1_bytes,enc2_bytes,"
                                        "dec1_bytes,head_bytes,other_bytes,total_bytes,is_peak\n"));
  EXPECT_GT(std::count(text.begin(), text.end(), '\n'), 100);
}

TEST_F(Surroundings, BenchTimeline_ThatCannotBe_IsRefusedBeforeAnythingIsMeasured) {
  const auto refused = [&](const std::string& file, int exit_code, const std::string& mentioned) {
    expect_refusal(
        run({"bench", "--device", "cpu", "--repeat", "1000000", "--quiet", "--timeline", file}),
        exit_code, {mentioned});
  };
  refused(at("timeline.txt"), 2, ".csv");
  refused(at("timeline.pickle"), 2, "CUDA");
  refused(at("nowhere/timeline.json"), 5, "nowhere");
  EXPECT_TRUE(std::filesystem::is_empty(folder()));
}

TEST_F(Surroundings, Verify_FindsEveryPlanEqual) {
  const auto document = run_json({"verify", "--levels", "2", "--base-channels", "4", "--tile", "32",
                                  "--batch", "2", "--steps", "2", "--dropout", "0.1"});
  EXPECT_EQ(document["plans"], 8);
  EXPECT_EQ(document["equal"], 8);
  EXPECT_TRUE(document["failures"].empty());
  const auto some =
      run_json({"verify", "--levels", "3", "--base-channels", "4", "--tile", "32", "--batch", "2",
                "--plans", "random:20", "--policies", "keep,light,full"});
  EXPECT_EQ(some["plans"], 20);
  EXPECT_EQ(some["equal"], 20);
  for (const auto& [stage, regions] : some["recomputed_regions"].items()) EXPECT_GT(regions, 0);
}

TEST_F(Surroundings, Offload_OnTheCpu_IsRefusedWithAReason) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"bench", "--plans", "dec1=offload"},
        std::vector<std::string>{"verify", "--policies", "keep,offload", "--levels", "2"}}) {
    const auto result = run(command);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr("the machine's own memory already"));
  }
}

TEST_F(Surroundings, SampleTwice_WritesTheSameBytes) {
  for (const char* name : {"one", "two"})
    ASSERT_EQ(run({"sample", at(name), "--count", "2", "--size", "64", "--seed", "5"}).exit_code,
              0);
  EXPECT_EQ(folder_contents(at("one")), folder_contents(at("two")));
}

/// Lines as the terminal would show them one after the other: control sequences end one.
std::size_t longest_drawn_line(const std::string& text) {
  std::size_t longest = 0;
  std::size_t length = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' || text[i] == '\n') length = 0;
    if (text[i] == '\x1b') {
      while (i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0) ++i;
    } else if (text[i] >= ' ') {
      longest = std::max(longest, ++length);
    }
  }
  return longest;
}

TEST_F(Surroundings, Terminal_GetsABarThatFits) {
  auto on_terminal = options({"verify", "--levels", "2", "--base-channels", "4", "--tile", "32",
                              "--batch", "2", "--steps", "1"});
  on_terminal.terminal_columns = 30;
  const auto result = tests::run_process(on_terminal);
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("8/8"));
  EXPECT_THAT(result.errors, HasSubstr("\r"));
  EXPECT_LT(longest_drawn_line(result.errors), 30U);
}

TEST_F(Surroundings, Pipe_GetsPlainLinesAndQuietNothing) {
  write_discs(at("data"), 4);
  const auto plain = run(small_training(at("data"), at("run")));
  EXPECT_THAT(plain.errors, HasSubstr("training 6/6"));
  EXPECT_THAT(plain.errors, Not(HasSubstr("\r")));
  EXPECT_THAT(plain.errors, Not(HasSubstr("\x1b")));
  const auto quiet = run(small_training(at("data"), at("other"), {"--quiet"}));
  EXPECT_EQ(quiet.errors, "");
  EXPECT_NE(quiet.output, "");
}

TEST_F(Surroundings, OutputThatIsGone_IsNoErrorAndAFullOneIs) {
  auto closed = options({"devices"});
  closed.close_output = true;
  EXPECT_EQ(tests::run_process(closed).exit_code, 0);
  auto broken = options({"devices"});
  broken.break_output = true;
  EXPECT_EQ(tests::run_process(broken).exit_code, 0);
  auto full = options({"devices"});
  full.output_file = "/dev/full";
  expect_refusal(tests::run_process(full), 5, {"standard output"});
}

TEST_F(Surroundings, ClosedOutput_DoesNotLeakIntoTheRun) {
  write_discs(at("data"), 4);
  auto closed = options(small_training(at("data"), at("run")));
  closed.close_output = true;
  ASSERT_EQ(tests::run_process(closed).exit_code, 0);
  EXPECT_TRUE(nlohmann::json::accept(read_text(at("run/run.json"))));
  EXPECT_THAT(read_text(at("run/steps.csv")), Not(HasSubstr("Dice")));
}

class OddPaths : public CliTest, public testing::WithParamInterface<std::string> {};

TEST_P(OddPaths, EveryCommand_TakesThem) {
  const std::string base = GetParam();
  const std::string data = at(base + "/data");
  const std::string run_folder = at(base + "/run");
  write_discs(data, 4);
  fs::rename(data + "/images/100.png", data + "/images/" + base + ".png");
  fs::rename(data + "/masks/100.png", data + "/masks/" + base + ".png");
  run_json({"check", data});
  run_json(small_training(data, run_folder));
  run_json({"train", "--resume", run_folder, "--steps", "8"});
  run_json({"evaluate", run_folder});
  run_json({"predict", run_folder, data + "/images", "--out", at(base + "/out")});
  EXPECT_TRUE(fs::exists(at(base + "/out/" + base + ".png")));
  run_json({"sample", at(base + "/set"), "--count", "1", "--size", "64"});
}

INSTANTIATE_TEST_SUITE_P(Kinds, OddPaths,
                         testing::Values("with spaces", "Gefäß 血管", "not\xff\xfeutf8",
                                         "quote'\"$"));

/// The name of a locale with decimal commas and the folder that holds it; the name is empty where
/// none can be made.
struct LocaleFolder {
  std::string name{};
  std::string folder{};
};

LocaleFolder make_locale(const std::string& folder) {
  fs::create_directories(folder);
  const auto made = tests::run_process(
      {.arguments = {"/usr/bin/localedef", "-i", "de_DE", "-f", "UTF-8", folder + "/de_DE.UTF-8"}});
  if (made.exit_code != 0) return {};
  return {"de_DE.UTF-8", folder};
}

TEST_F(Surroundings, LocaleWithDecimalCommas_ChangesNothing) {
  const LocaleFolder locale = make_locale(at("locales"));
  if (locale.name.empty()) GTEST_SKIP() << "no locale with decimal commas can be made here";
  write_discs(at("data"), 4);
  const auto in_locale = [&](std::vector<std::string> arguments) {
    auto changed = options(std::move(arguments));
    changed.environment["LC_ALL"] = locale.name;
    changed.environment["LOCPATH"] = locale.folder;
    return tests::run_process(changed);
  };
  ASSERT_EQ(run(small_training(at("data"), at("plain"), {"--lr", "0.001"})).exit_code, 0);
  ASSERT_EQ(in_locale(small_training(at("data"), at("comma"), {"--lr", "0.001"})).exit_code, 0);
  EXPECT_EQ(read_text(at("plain/model_last.safetensors")),
            read_text(at("comma/model_last.safetensors")));
  EXPECT_EQ(in_locale({"train", "--resume", at("comma"), "--steps", "8"}).exit_code, 0);
  EXPECT_EQ(in_locale({"evaluate", at("comma"), "--json"}).exit_code, 0);
}

TEST_F(Surroundings, FirstStart_MakesASampleTrainsItAndTakesANewFolderEachTime) {
  for (const char* name : {"sample-001", "sample-002"}) {
    tests::ChildProcess process(options({}));
    ASSERT_TRUE(process.wait_for_errors("training 1/")) << process.wait().errors;
    process.send_signal(SIGINT);
    const auto result = process.wait();
    EXPECT_EQ(result.exit_code, 130) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr(name));
    EXPECT_TRUE(fs::exists(folder() / "home/runs" / name / "state_last"));
  }
}

}  // namespace
}  // namespace headroom::app
