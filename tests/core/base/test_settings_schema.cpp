#include "core/base/settings_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.hpp"
#include "tests/support/comma_locale.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::base {
namespace {

using testing::HasSubstr;

const SettingRow& row_of(std::string_view key) {
  const SettingRow* const row = find_setting(key);
  if (row == nullptr) throw std::out_of_range(std::string(key));
  return *row;
}

/// Texts that a row accepts, its bounds among them.
std::vector<std::string> accepted_texts(const SettingRow& row) {
  std::vector<std::string> texts = {default_text(row)};
  for (const std::string_view choice : row.choices) texts.emplace_back(choice);
  if (row.special) texts.emplace_back(row.special->word);
  if (row.kind == SettingKind::flag) texts.insert(texts.end(), {"true", "false"});
  if (const auto* range = std::get_if<IntegerRange>(&row.range)) {
    texts.push_back(std::to_string(range->low));
    texts.push_back(std::to_string(range->high));
  }
  if (row.kind == SettingKind::tile) texts.insert(texts.end(), {"384x512", "1x65536"});
  if (row.kind == SettingKind::real) texts.insert(texts.end(), {"0.125", "1e-3", "0.1"});
  return texts;
}

TEST(SettingsSchema, Rows_HaveDistinctKeysAndFlagsThatFollowThem) {
  std::set<std::string_view> keys;
  for (const SettingRow& row : settings_schema()) {
    EXPECT_TRUE(keys.insert(row.key).second) << row.key;
    std::string flag = "--" + std::string(row.key);
    std::replace(flag.begin(), flag.end(), '_', '-');
    EXPECT_EQ(row.flag, flag);
    EXPECT_EQ(find_setting(row.key), &row);
    EXPECT_EQ(setting_of_flag(row.flag), &row);
    EXPECT_FALSE(row.help.empty());
  }
  EXPECT_EQ(find_setting("nothing"), nullptr);
  EXPECT_EQ(setting_of_flag("--nothing"), nullptr);
}

TEST(SettingsSchema, FlagsOfTheCommandLine_AreAllThere) {
  for (const char* const flag :
       {"--model",      "--base-channels", "--levels",         "--norm",
        "--classes",    "--channels",      "--tile",           "--batch",
        "--accumulate", "--steps",         "--epochs",         "--optimizer",
        "--lr",         "--loss",          "--precision",      "--memory-format",
        "--device",     "--threads",       "--deterministic",  "--seed",
        "--plan",       "--budget",        "--mapping",        "--ignore",
        "--layout",     "--split",         "--loader-threads", "--cache",
        "--dropout",    "--normalise",     "--save-every",     "--timeline-every",
        "--on-oom",     "--window",        "--augment",        "--foreground",
        "--coverage",   "--missing-masks", "--slice-axis",     "--split-by",
        "--folds",      "--fold"}) {
    EXPECT_NE(setting_of_flag(flag), nullptr) << flag;
  }
}

TEST(SettingsSchema, OnResume_OnlySomeMayChange) {
  std::set<std::string_view> changeable;
  for (const SettingRow& row : settings_schema()) {
    if (row.on_resume == OnResume::may_change) changeable.insert(row.flag);
  }
  EXPECT_EQ(changeable,
            (std::set<std::string_view>{"--steps", "--epochs", "--plan", "--budget", "--threads",
                                        "--loader-threads", "--save-every", "--on-oom"}));
}

TEST(SettingsSchema, EveryRow_RoundTripsTextStructJsonStruct) {
  for (const SettingRow& row : settings_schema()) {
    for (const std::string& text : accepted_texts(row)) {
      Settings settings;
      ASSERT_NO_THROW(apply_text(settings, row, text)) << row.key << " = " << text;
      const std::string written = text_of(settings, row);
      const Settings read = settings_from_json(settings_to_json(settings), "round trip");
      EXPECT_EQ(row.get(read), row.get(settings)) << row.key << " = " << text;
      Settings again;
      apply_text(again, row, written);
      EXPECT_EQ(row.get(again), row.get(settings)) << row.key << " = " << written;
    }
  }
}

TEST(SettingsSchema, EveryRow_ReachesItsOwnFieldAlone) {
  for (const SettingRow& row : settings_schema()) {
    for (const std::string& text : accepted_texts(row)) {
      Settings settings;
      apply_text(settings, row, text);
      for (const SettingRow& other : settings_schema()) {
        if (other.key == row.key) continue;
        EXPECT_EQ(other.get(settings), other.get(Settings{}))
            << row.key << " changed " << other.key;
      }
    }
  }
}

TEST(SettingsSchema, BeyondTheRange_IsRefused) {
  for (const SettingRow& row : settings_schema()) {
    const auto* const range = std::get_if<IntegerRange>(&row.range);
    if (range == nullptr) continue;
    std::vector<std::string> refused = {std::to_string(range->low - 1)};
    if (range->high < std::numeric_limits<std::int64_t>::max()) {
      refused.push_back(std::to_string(range->high + 1));
    }
    for (const std::string& text : refused) {
      Settings settings;
      EXPECT_THROW(apply_text(settings, row, text), Error) << row.key << " = " << text;
      const std::string json = "{\"" + std::string(row.key) + "\": " + text + "}";
      EXPECT_THROW(apply_json(settings, json, "j"), Error) << json;
    }
  }
}

TEST(SettingsSchema, EveryRow_RefusesJsonOfAnotherType) {
  for (const SettingRow& row : settings_schema()) {
    for (const char* const value : {"null", "{}", "[1, 2, 3]"}) {
      Settings settings;
      const std::string json = "{\"" + std::string(row.key) + "\": " + value + "}";
      EXPECT_THROW(apply_json(settings, json, "j"), Error) << json;
    }
  }
}

TEST(ApplyText, EachNamedChoice_SetsItsEnumerator) {
  Settings settings;
  apply_text(settings, row_of("norm"), "instance");
  apply_text(settings, row_of("precision"), "bf16");
  apply_text(settings, row_of("memory_format"), "channels-last");
  apply_text(settings, row_of("optimizer"), "sgd");
  apply_text(settings, row_of("loss"), "dice");
  apply_text(settings, row_of("schedule"), "poly");
  apply_text(settings, row_of("normalise"), "percentile");
  EXPECT_EQ(settings.model.norm, NormKind::instance);
  EXPECT_EQ(settings.step.precision, Precision::bf16);
  EXPECT_EQ(settings.step.memory_format, MemoryFormat::channels_last);
  EXPECT_EQ(settings.train.optimizer, OptimizerKind::sgd);
  EXPECT_EQ(settings.train.loss, LossKind::dice);
  EXPECT_EQ(settings.train.schedule, ScheduleKind::poly);
  EXPECT_EQ(settings.data.normalise, Normalise::percentile);
}

TEST(ApplyText, Quantities_SetTheirUnits) {
  Settings settings;
  apply_text(settings, row_of("tile"), "384x512");
  apply_text(settings, row_of("budget"), "6GiB");
  apply_text(settings, row_of("save_every"), "1h");
  apply_text(settings, row_of("ignore"), "none");
  EXPECT_EQ(settings.step.tile_height, 384);
  EXPECT_EQ(settings.step.tile_width, 512);
  EXPECT_EQ(settings.step.budget_bytes, std::int64_t{6} << 30);
  EXPECT_EQ(settings.train.save_every_seconds, 3600);
  EXPECT_EQ(settings.data.ignore, -1);
}

struct BadText {
  const char* key;
  const char* text;
};
class ApplyTextOf : public testing::TestWithParam<BadText> {};

TEST_P(ApplyTextOf, UnusableValue_ThrowsUsageNamingFlagAndValueAndChangesNothing) {
  const SettingRow& row = row_of(GetParam().key);
  Settings settings;
  const auto error = tests::thrown_error([&] { apply_text(settings, row, GetParam().text); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::usage);
  EXPECT_THAT(error->parts().subject, HasSubstr(std::string(row.flag)));
  EXPECT_THAT(error->parts().subject, HasSubstr(GetParam().text));
  EXPECT_THAT(error->parts().remedy, HasSubstr(range_text(row)));
  EXPECT_EQ(settings_to_json(settings), settings_to_json(Settings{}));
}

INSTANTIATE_TEST_SUITE_P(
    All, ApplyTextOf,
    testing::Values(BadText{"budget", "0"}, BadText{"budget", "0GiB"}, BadText{"budget", "-1GiB"},
                    BadText{"classes", "0"}, BadText{"threads", "0"}, BadText{"steps", "0"},
                    BadText{"batch", "2.5"}, BadText{"batch", ""}, BadText{"batch", "auto"},
                    BadText{"batch", "99999999999999999999"}, BadText{"dropout", "1"},
                    BadText{"dropout", "-0.1"}, BadText{"dropout", "nan"},
                    BadText{"dropout", "0,1"}, BadText{"lr", "0"}, BadText{"lr", "inf"},
                    BadText{"tile", "512x"}, BadText{"tile", "x512"}, BadText{"tile", "512x512x3"},
                    BadText{"tile", "0x512"}, BadText{"precision", "fp8"}, BadText{"norm", "Batch"},
                    BadText{"model", "resnet"}, BadText{"augment", "maybe"},
                    BadText{"device", "gpu"}, BadText{"device", "cuda:"},
                    BadText{"device", "cuda:-1"}, BadText{"device", "cuda:1000"},
                    BadText{"split", "0"}, BadText{"split", "1.0"}, BadText{"split", ""},
                    BadText{"window", "40"}, BadText{"window", ""}, BadText{"foreground", "1.1"},
                    BadText{"split_by", "patients"}, BadText{"folds", "1"}, BadText{"fold", "-1"},
                    BadText{"plan", ""}, BadText{"save_every", "0"}, BadText{"ignore", "-1"}));

TEST(ApplyText, DeviceAndSplit_TakeTheirForms) {
  Settings settings;
  for (const char* const device : {"auto", "cpu", "cuda", "cuda:0", "cuda:12"}) {
    apply_text(settings, row_of("device"), device);
    EXPECT_EQ(settings.step.device, device);
  }
  for (const char* const split : {"auto", "0.2", "lists/split 1.json"}) {
    apply_text(settings, row_of("split"), split);
    EXPECT_EQ(settings.data.split, split);
  }
  for (const char* const by : {"sample", "folder", "patient", "series", "blocks", "(case[0-9]+)"}) {
    apply_text(settings, row_of("split_by"), by);
    EXPECT_EQ(settings.data.split_by, by);
  }
}

TEST(SettingsFromJson, EachForm_IsTaken) {
  const Settings settings = settings_from_json(
      R"({"base_channels": 16, "tile": [384, 512], "cache": "2GiB", "lr": 1, "augment": false,
          "budget": "auto", "threads": "auto", "batch": "4"})",
      "c.json");
  EXPECT_EQ(settings.model.base_channels, 16);
  EXPECT_EQ(settings.step.tile_height, 384);
  EXPECT_EQ(settings.step.tile_width, 512);
  EXPECT_EQ(settings.data.cache_bytes, std::int64_t{2} << 30);
  EXPECT_EQ(settings.train.learning_rate, 1.0);
  EXPECT_EQ(settings.train.augment, Augment::none);
  EXPECT_EQ(settings.step.batch, 4);
  EXPECT_EQ(settings_from_json(R"({"tile": 256})", "c.json").step.tile_width, 256);
}

TEST(SettingsFromJson, UnknownKey_NamesFileKeyAndTheNearestOne) {
  const auto error = tests::thrown_error(
      [] { static_cast<void>(settings_from_json(R"({"base_chanels": 16})", "c.json")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::usage);
  EXPECT_THAT(error->what(), HasSubstr("c.json"));
  EXPECT_THAT(error->what(), HasSubstr("\"base_chanels\""));
  EXPECT_THAT(error->what(), HasSubstr("\"base_channels\""));
}

TEST(SettingsFromJson, ValueOutOfRange_NamesFileSettingValueAndRange) {
  const auto error = tests::thrown_error(
      [] { static_cast<void>(settings_from_json(R"({"levels": 99})", "c.json")); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("c.json"));
  EXPECT_THAT(error->what(), HasSubstr("--levels cannot be 99"));
  EXPECT_THAT(error->what(), HasSubstr("2 to 8"));
}

TEST(SettingsFromJson, BrokenText_NamesFileAndPlace) {
  const auto error = tests::thrown_error(
      [] { static_cast<void>(settings_from_json("{\n\"levels\": }", "c.json")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::usage);
  EXPECT_THAT(error->what(), HasSubstr("c.json"));
  EXPECT_THAT(error->what(), HasSubstr("line 2"));
}

TEST(ApplyJson, OneBadValue_ChangesNothing) {
  Settings settings;
  EXPECT_THROW(apply_json(settings, R"({"batch": 4, "levels": 99})", "c.json"), Error);
  EXPECT_EQ(settings.step.batch, Settings{}.step.batch);
}

TEST(SettingsToJson, InvalidUtf8InAPath_DoesNotFail) {
  Settings settings;
  settings.data.mapping = "m\xFF.json";
  EXPECT_THAT(settings_to_json(settings), HasSubstr("\"m\xEF\xBF\xBD.json\""));
}

TEST(Settings, UnderADecimalCommaLocale_RoundTrip) {
  const tests::CommaLocale commas;
  Settings settings;
  apply_text(settings, row_of("lr"), "0.00025");
  apply_text(settings, row_of("seed"), "1234567");
  EXPECT_EQ(settings.train.learning_rate, 0.00025);
  EXPECT_EQ(text_of(settings, row_of("lr")), "0.00025");
  const std::string json = settings_to_json(settings);
  EXPECT_THAT(json, HasSubstr("0.00025"));
  EXPECT_THAT(json, HasSubstr("1234567"));
  EXPECT_EQ(settings_from_json(json, "c.json").train.learning_rate, 0.00025);
}

TEST(RangeText, EachKind_IsReadable) {
  EXPECT_EQ(range_text(row_of("levels")), "2 to 8");
  EXPECT_EQ(range_text(row_of("threads")), "1 to 1024, or auto");
  EXPECT_EQ(range_text(row_of("budget")), "at least 1, or auto");
  EXPECT_EQ(range_text(row_of("dropout")), "at least 0, below 1");
  EXPECT_EQ(range_text(row_of("norm")), "batch, group, instance");
  EXPECT_EQ(range_text(row_of("mapping")), "");
}

TEST(DefaultText, SomeRows_AreTheStructsDefaults) {
  EXPECT_EQ(default_text(row_of("tile")), "512");
  EXPECT_EQ(default_text(row_of("cache")), "1GiB");
  EXPECT_EQ(default_text(row_of("save_every")), "5min");
  EXPECT_EQ(default_text(row_of("budget")), "auto");
  EXPECT_EQ(default_text(row_of("lr")), "0.001");
  EXPECT_EQ(default_text(row_of("loss")), "ce-dice");
  EXPECT_EQ(default_text(row_of("augment")), "flips");
}

TEST(CheckSettings, StepsAndEpochs_AreRefusedTogether) {
  Settings settings;
  EXPECT_NO_THROW(check_settings(settings));
  settings.train.steps = 10;
  EXPECT_NO_THROW(check_settings(settings));
  settings.train.epochs = 2;
  const auto error = tests::thrown_error([&] { check_settings(settings); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::usage);
}

TEST(Augment, OnAndOff_AreFlipsAndNone) {
  for (const auto& [word, augment] :
       {std::pair("true", Augment::flips), std::pair("on", Augment::flips),
        std::pair("false", Augment::none), std::pair("0", Augment::none),
        std::pair("medical", Augment::medical)}) {
    Settings settings;
    settings.train.augment = Augment::aerial;
    apply_text(settings, row_of("augment"), word);
    EXPECT_EQ(settings.train.augment, augment) << word;
  }
  EXPECT_EQ(settings_from_json(R"({"augment": true})", "run.json").train.augment, Augment::flips);
  EXPECT_EQ(settings_from_json(R"({"augment": false})", "run.json").train.augment, Augment::none);
  EXPECT_THROW(static_cast<void>(settings_from_json(R"({"normalise": true})", "j")), Error);
}

/// `change` is refused; the message has `mentioned` in it.
template <typename Change>
void expect_refused(Change change, const char* mentioned) {
  Settings settings;
  change(settings);
  const auto error = tests::thrown_error([&] { check_settings(settings); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::usage);
  EXPECT_THAT(error->what(), HasSubstr(mentioned));
}

TEST(CheckSettings, WindowWithoutItsNormalisation_IsRefused) {
  expect_refused([](Settings& settings) { settings.data.window = "lung"; }, "--window lung");
  Settings settings;
  settings.data.window = "lung";
  settings.data.normalise = Normalise::ct_window;
  EXPECT_NO_THROW(check_settings(settings));
}

TEST(CheckSettings, CoverageWithWhatDoesNotCover_IsRefused) {
  expect_refused(
      [](Settings& settings) {
        settings.train.coverage = true;
        settings.train.foreground = 0.33;
      },
      "--foreground 0.33");
  expect_refused(
      [](Settings& settings) {
        settings.train.coverage = true;
        settings.train.augment = Augment::light;
      },
      "--augment");
  Settings settings;
  settings.train.coverage = true;
  EXPECT_NO_THROW(check_settings(settings));
}

TEST(CheckSettings, TileTooLargeToBeTurned_IsRefused) {
  expect_refused(
      [](Settings& settings) {
        settings.step.tile_width = 9000;
        settings.train.augment = Augment::aerial;
      },
      "--tile 9000");
  Settings settings;
  settings.step.tile_width = 9000;
  EXPECT_NO_THROW(check_settings(settings));
}

TEST(CheckSettings, Folds_NeedAFoldOfThemAndNoShare) {
  Settings settings;
  settings.data.folds = 5;
  settings.data.fold = 4;
  EXPECT_NO_THROW(check_settings(settings));
  settings.data.fold = 5;
  EXPECT_THROW(check_settings(settings), Error);
  settings.data.fold = 1;
  settings.data.folds = 0;
  EXPECT_THROW(check_settings(settings), Error);
  settings.data.folds = 5;
  settings.data.split = "0.2";
  EXPECT_THROW(check_settings(settings), Error);
}

}  // namespace
}  // namespace headroom::base
