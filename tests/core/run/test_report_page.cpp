// The page against the document that it shows, read by libxml2 in its strict mode.
#include "core/run/report_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/markup.hpp"
#include "core/run/report.hpp"
#include "core/run/report_charts.hpp"
#include "core/run/report_document.hpp"
#include "core/run/report_style.hpp"
#include "tests/core/run/report_runs.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::run {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A page that was parsed without a fault.
class ParsedPage {
 public:
  explicit ParsedPage(const std::string& page)
      : document_(xmlReadMemory(page.data(), static_cast<int>(page.size()), "page", "UTF-8",
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING),
                  xmlFreeDoc) {
    EXPECT_NE(document_, nullptr) << xmlGetLastError()->message << xmlGetLastError()->line;
  }

  /// Calls `take` with every element of this name.
  template <typename Take>
  void for_each(const std::string& name, const Take& take) const {
    const std::unique_ptr<xmlXPathContext, void (*)(xmlXPathContextPtr)> context(
        xmlXPathNewContext(document_.get()), xmlXPathFreeContext);
    const std::string path = "//*[local-name()='" + name + "']";
    const std::unique_ptr<xmlXPathObject, void (*)(xmlXPathObjectPtr)> found(
        xmlXPathEvalExpression(reinterpret_cast<const xmlChar*>(path.c_str()), context.get()),
        xmlXPathFreeObject);
    if (found->nodesetval == nullptr) return;
    for (int i = 0; i < found->nodesetval->nodeNr; ++i) take(found->nodesetval->nodeTab[i]);
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const {
    std::vector<std::string> texts;
    for_each(name, [&](xmlNodePtr node) { texts.push_back(text_of(xmlNodeGetContent(node))); });
    return texts;
  }
  [[nodiscard]] static std::string attribute(xmlNodePtr node, const char* name) {
    return text_of(xmlGetProp(node, reinterpret_cast<const xmlChar*>(name)));
  }

 private:
  /// Takes the text over.
  static std::string text_of(xmlChar* text) {
    if (text == nullptr) return {};
    std::string copy(reinterpret_cast<const char*>(text));
    xmlFree(text);
    return copy;
  }

  std::unique_ptr<xmlDoc, void (*)(xmlDocPtr)> document_;
};

class ReportPageTest : public testing::Test {
 protected:
  void add_run(const std::string& name) {
    write_example_run(folder_ / name);
    read_again(name);
  }
  void read_again(const std::string& name) { runs_.push_back(read_run_report(folder_ / name)); }
  [[nodiscard]] Json document() const { return report_document(runs_, {}); }
  [[nodiscard]] std::string text(ReportFormat format) const {
    return report_text(format, document(), runs_);
  }
  [[nodiscard]] std::string page() const { return text(ReportFormat::html); }

  tests::TemporaryFolder folder_{};
  std::vector<RunReport> runs_{};
};

TEST_F(ReportPageTest, EveryNumber_EqualsTheDocument) {
  add_run("one");
  add_run("two");
  const Json parsed = Json::parse(text(ReportFormat::json));
  int figures = 0;
  ParsedPage(page()).for_each("data", [&](xmlNodePtr node) {
    const std::string key = ParsedPage::attribute(node, "data-key");
    const Json& value = parsed.at(Json::json_pointer(key));
    EXPECT_EQ(Json::parse(ParsedPage::attribute(node, "value")), value) << key;
    ++figures;
  });
  EXPECT_GT(figures, 60);
}

TEST_F(ReportPageTest, Figures_AreShownWithTheirUnits) {
  add_run("one");
  std::map<std::string, std::string> shown;
  ParsedPage(page()).for_each("data", [&](xmlNodePtr node) {
    shown[ParsedPage::attribute(node, "data-key")] =
        reinterpret_cast<const char*>(node->children->content);
  });
  EXPECT_EQ(shown.at("/runs/0/peak_total_bytes"), "3.03 KiB");
  EXPECT_EQ(shown.at("/runs/0/budget_bytes"), "4.00 KiB");
  EXPECT_EQ(shown.at("/runs/0/best/mean_dice"), "0.625");
  EXPECT_EQ(shown.at("/runs/0/plans/1/of_keep"), "2.00 ×");
  EXPECT_EQ(shown.at("/runs/0/plans/1/seconds_per_step"), "6000.0 ms");
  EXPECT_EQ(shown.at("/runs/0/out_of_memory/0/refused_bytes"), "4.88 KiB");
  EXPECT_EQ(shown.at("/runs/0/resumed_after/0"), "4");
}

TEST_F(ReportPageTest, Page_NeedsNothingOutsideItself) {
  add_run("one");
  const std::string html = page();
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("@import")));
  EXPECT_THAT(html, Not(HasSubstr("url(")));
  EXPECT_LT(html.size(), 3U << 20);
  ParsedPage(html).for_each("img", [](xmlNodePtr node) {
    EXPECT_TRUE(ParsedPage::attribute(node, "src").starts_with("data:"));
  });
  EXPECT_THAT(ParsedPage(html).texts("link"), IsEmpty());
}

TEST_F(ReportPageTest, Charts_MarkChangesAndTheBudget) {
  add_run("one");
  const std::vector<std::string> texts = ParsedPage(page()).texts("text");
  EXPECT_THAT(texts, testing::Contains("A"));
  EXPECT_THAT(texts, testing::Contains("B"));
  EXPECT_THAT(texts, testing::Contains("budget 4.00 KiB"));
  EXPECT_EQ(ParsedPage(page()).texts("svg").size(), 4U);
}

TEST_F(ReportPageTest, HostileNames_StayText) {
  const std::string name = "a<b>&\"'ü–日\x01\xff]]>";
  add_run(name);
  const std::string html = page();
  EXPECT_THAT(ParsedPage(html).texts("h1"), testing::ElementsAre("a<b>&\"'ü–日\uFFFD\uFFFD]]>"));
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
  EXPECT_THAT(html, Not(HasSubstr("<cell>"))) << "a class's name";
  EXPECT_THAT(html, HasSubstr("A &amp; B"));
}

TEST_F(ReportPageTest, SeveralRuns_StandSideBySide) {
  add_run("one");
  add_run("two");
  runs_[1].description.settings.train.learning_rate = 0.25;
  const std::vector<std::string> rows = ParsedPage(page()).texts("tr");
  EXPECT_THAT(rows, testing::Contains("onetwo"));
  EXPECT_THAT(rows, testing::Contains("Setting lr0.0010.25"));
  EXPECT_EQ(document().at("settings_that_differ"), Json::parse(R"(["lr"])"));
}

TEST_F(ReportPageTest, EmptyRun_HasNoEmptySections) {
  RunFolder::create(folder_ / "empty", {}).write_description({});
  read_again("empty");
  const ParsedPage parsed(page());
  EXPECT_THAT(parsed.texts("h2"), testing::ElementsAre("empty", "Settings", "Environment"));
  EXPECT_THAT(page(), HasSubstr("No step is recorded yet."));
  EXPECT_THAT(page(), HasSubstr("steps.csv is missing"));
}

TEST_F(ReportPageTest, Pictures_AreTakenIn) {
  add_run("one");
  runs_[0].pictures = {{.file = "previews/a&b.png", .jpeg = "Man!", .height = 2, .width = 6}};
  EXPECT_THAT(page(), HasSubstr("data:image/jpeg;base64,TWFuIQ=="));
  EXPECT_THAT(ParsedPage(page()).texts("h2"), testing::Contains(HasSubstr("Sample predictions")));
}

TEST_F(ReportPageTest, Csv_HasARowForEachPlan) {
  add_run("one");
  const std::string csv = text(ReportFormat::csv);
  EXPECT_THAT(csv, HasSubstr("\none,completed,8,0.625,0.5,4096,keep,1,5,2,200,3100,3.0,0.0,1.0\n"));
  EXPECT_THAT(csv, HasSubstr("\none,completed,8,0.625,0.5,4096,full,4,3,2,60,2960,6.0,2.0,2.0\n"));
}

TEST_F(ReportPageTest, Markdown_ShowsWhatThePageShows) {
  add_run("a|b");
  const std::string markdown = text(ReportFormat::markdown);
  EXPECT_THAT(markdown, HasSubstr("## a\\|b\n"));
  EXPECT_THAT(markdown, HasSubstr("| full | 4 | 3 | 2 | 2.89 KiB | 60 B | 6000.0 ms | 2.00 × |\n"));
  EXPECT_THAT(markdown, HasSubstr("| &lt;cell&gt; | 0.250 | 0.375 |\n"));
}

TEST(ClassStyle, EightClasses_HaveColoursOfTheirOwnInBothThemes) {
  const std::string_view style = kReportStyle;
  std::set<std::string_view> light, dark;
  for (std::size_t id = 0; id < 8; ++id) {
    const std::string name = class_style(id), colour = "--" + name + ":#";
    EXPECT_NE(style.find("." + name + "{"), std::string_view::npos) << name;
    const std::size_t first = style.find(colour), second = style.find(colour, first + 1);
    ASSERT_NE(second, std::string_view::npos) << name;
    light.insert(style.substr(first + colour.size(), 6));
    dark.insert(style.substr(second + colour.size(), 6));
  }
  EXPECT_EQ(light.size(), 8U);
  EXPECT_EQ(dark.size(), 8U);
}

TEST_F(ReportPageTest, ApostropheInMarkdown_IsOneCharacterReference) {
  add_run("cell's wall");
  EXPECT_THAT(text(ReportFormat::markdown), HasSubstr("## cell&#39;s wall\n"));
}

TEST_F(ReportPageTest, FileThatIsNoReport_IsNotReplaced) {
  add_run("one");
  struct Case {
    const char* name;
    ReportFormat format;
  };
  for (const Case& each :
       {Case{"r.html", ReportFormat::html}, Case{"r.json", ReportFormat::json},
        Case{"r.csv", ReportFormat::csv}, Case{"r.md", ReportFormat::markdown}}) {
    const ReportFormat format = each.format;
    const std::filesystem::path file = folder_ / each.name;
    EXPECT_EQ(report_format(file), format);
    EXPECT_NO_THROW(refuse_foreign_file(file, format)) << "nothing is there";
    write_run_file(folder_.path(), each.name, text(format));
    EXPECT_NO_THROW(refuse_foreign_file(file, format)) << "an earlier report";
    write_run_file(folder_.path(), each.name, "of a person\n");
    const auto error = tests::thrown_error([&] { refuse_foreign_file(file, format); });
    EXPECT_THAT(error->what(), HasSubstr(each.name));
  }
  EXPECT_THROW(static_cast<void>(report_format("report.pdf")), base::Error);
}

TEST(Escaped, MarkupCharacters_BecomeReferences) {
  EXPECT_EQ(escaped("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
  EXPECT_EQ(escaped("\xEF\xBF\xBF"), "\uFFFD");
}

TEST(JpegAddress, Bytes_AreBase64OfRfc4648) {
  EXPECT_EQ(jpeg_address("f"), "data:image/jpeg;base64,Zg==");
  EXPECT_EQ(jpeg_address("fo"), "data:image/jpeg;base64,Zm8=");
  EXPECT_EQ(jpeg_address("foobar"), "data:image/jpeg;base64,Zm9vYmFy");
}

}  // namespace
}  // namespace headroom::run
