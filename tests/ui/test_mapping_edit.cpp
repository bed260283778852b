// Edits of a mapping: what each value becomes, names, undo, and what may be applied.
#include "ui/mapping_edit.hpp"

#include <gmock/gmock.h>

namespace headroom::tests {
namespace {

using base::ClassMapping;
using base::kIgnoreLabel;
using base::MaskKey;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MaskKey value(std::int64_t of) { return {.is_colour = false, .value = of}; }

/// 0 is sky, 5 is sea, 9 is ignored; the masks hold 0, 5, 9.
struct MappingEditTest : testing::Test {
  ClassMapping applied{.ids = {{value(0), 0}, {value(5), 1}, {value(9), kIgnoreLabel}},
                       .class_names = {"sky", "sea"}};
  ui::MappingEdit edit{applied, {value(0), value(5), value(9)}};
};

TEST_F(MappingEditTest, Untouched_HasNoChangesAndNothingToUndo) {
  EXPECT_FALSE(edit.is_changed());
  EXPECT_EQ(edit.steps(), 0U);
  EXPECT_FALSE(edit.can_redo());
  EXPECT_THAT(edit.problem(), IsEmpty());
  EXPECT_EQ(edit.result(), applied);
}

TEST_F(MappingEditTest, OtherClass_IsSeenAndUndone) {
  edit.set_label(value(9), 1);
  EXPECT_EQ(edit.label_of(value(9)), 1);
  EXPECT_TRUE(edit.is_changed(value(9)));
  EXPECT_FALSE(edit.is_changed(value(5)));
  edit.undo();
  EXPECT_EQ(edit.label_of(value(9)), kIgnoreLabel);
  EXPECT_FALSE(edit.is_changed());
  edit.redo();
  EXPECT_EQ(edit.label_of(value(9)), 1);
}

TEST_F(MappingEditTest, SameClassAgain_IsNoStep) {
  edit.set_label(value(0), 0);
  edit.rename(0, "sky");
  EXPECT_EQ(edit.steps(), 0U);
}

TEST_F(MappingEditTest, EditAfterUndo_LeavesNothingToRedo) {
  edit.rename(0, "air");
  edit.undo();
  edit.rename(0, "cloud");
  EXPECT_FALSE(edit.can_redo());
  EXPECT_THAT(edit.mapping().class_names, ElementsAre("cloud", "sea"));
}

TEST_F(MappingEditTest, RenamedClass_ChangesEveryValueOfIt) {
  edit.set_label(value(9), 1);
  edit.rename(1, "water");
  EXPECT_TRUE(edit.is_changed(value(5)));
  EXPECT_TRUE(edit.is_changed(value(9)));
  EXPECT_FALSE(edit.is_changed(value(0)));
  edit.rename(1, "");
  EXPECT_THAT(edit.mapping().class_names, ElementsAre("sky", "water")) << "a class has a name";
}

TEST_F(MappingEditTest, NewClass_ComesBehindTheOthers) {
  edit.set_new_class(value(9));
  EXPECT_EQ(edit.label_of(value(9)), 2);
  EXPECT_THAT(edit.mapping().class_names, ElementsAre("sky", "sea", "class 2"));
}

TEST_F(MappingEditTest, ClassThatNothingBecomes_IsLeftOutOfTheResult) {
  edit.set_new_class(value(9));
  edit.set_label(value(5), kIgnoreLabel);
  EXPECT_THAT(edit.problem(), IsEmpty());
  const ClassMapping result = edit.result();
  EXPECT_THAT(result.class_names, ElementsAre("sky", "class 2"));
  EXPECT_EQ(result.ids.at(value(0)), 0);
  EXPECT_EQ(result.ids.at(value(9)), 1);
  EXPECT_EQ(result.ids.at(value(5)), kIgnoreLabel);
  // As --mapping would read it.
  EXPECT_EQ(base::parse_class_mapping(to_json(result), "test"), result);
}

TEST_F(MappingEditTest, OneClassAlone_CannotBeApplied) {
  edit.set_label(value(5), 0);
  EXPECT_THAT(edit.problem(), HasSubstr("Two classes"));
}

TEST_F(MappingEditTest, ValueThatTheMappingLacks_IsAskedFor) {
  ui::MappingEdit lacking(applied, {value(0), value(5), value(7)});
  EXPECT_EQ(lacking.label_of(value(7)), std::nullopt);
  EXPECT_THAT(lacking.problem(), HasSubstr("7"));
  lacking.set_label(value(7), kIgnoreLabel);
  EXPECT_THAT(lacking.problem(), IsEmpty());
}

TEST_F(MappingEditTest, Objects_AreOneClassBesideTheBackground) {
  edit.take_as_objects();
  EXPECT_EQ(edit.label_of(value(0)), 0);
  EXPECT_EQ(edit.label_of(value(5)), 1);
  EXPECT_EQ(edit.label_of(value(70'000)), 1);
  EXPECT_THAT(edit.problem(), IsEmpty());
  EXPECT_EQ(edit.result().other, 1);
}

TEST(LabelOf, GreyColour_MayBeListedByItsValue) {
  const ClassMapping mapping{.ids = {{value(128), 1}, {{true, 0xFF0000}, 0}},
                             .class_names = {"red", "grey"}};
  EXPECT_EQ(ui::label_of(mapping, {true, 0x808080}), 1);
  EXPECT_EQ(ui::label_of(mapping, {true, 0xFF0000}), 0);
  EXPECT_EQ(ui::label_of(mapping, {true, 0x808081}), std::nullopt);
}

TEST(MappingEdit, BeyondTheMostClasses_AddsNone) {
  ClassMapping full;
  std::vector<MaskKey> keys;
  for (std::int64_t i = 0; i < base::kMaxClasses; ++i) {
    full.ids[value(i)] = static_cast<std::uint8_t>(i);
    full.class_names.push_back(std::to_string(i));
    keys.push_back(value(i));
  }
  ui::MappingEdit edit(full, keys);
  edit.set_new_class(value(3));
  EXPECT_FALSE(edit.is_changed());
}

}  // namespace
}  // namespace headroom::tests
