#include "report/canvas/svg.hpp"

#include <gtest/gtest.h>

#include "unit/report/pictures.hpp"

namespace fewdim {
namespace {

using pictures::count;
using pictures::xml_fault;

TEST(XmlFault, NoticesFaults) {  // the checker itself can fail
  EXPECT_EQ(xml_fault("<a b=\"c\"><d/>x &amp; y</a>"), "");
  EXPECT_NE(xml_fault("<a><b></a></b>"), "");
  EXPECT_NE(xml_fault("<a>"), "");
  EXPECT_NE(xml_fault("<a>&</a>"), "");
  EXPECT_NE(xml_fault("<a b=\"<\"/>"), "");
  EXPECT_NE(xml_fault("<a b=c/>"), "");
  EXPECT_NE(xml_fault("<a>\x01</a>"), "");
}

TEST(Svg, EscapesWhatXmlCannotHold) {
  EXPECT_EQ(escape_xml("<b>&\"it's\"</b>"), "&lt;b&gt;&amp;&quot;it&#39;s&quot;&lt;/b&gt;");
  EXPECT_EQ(escape_xml("Zürich 東京"), "Zürich 東京");
  EXPECT_EQ(escape_xml(std::string_view("a\0\x02"
                                        "b\xff",
                                        5)),
            "a\ufffd\ufffd"
            "b\ufffd");
  EXPECT_EQ(escape_xml("\xef\xbf\xbf"), "\ufffd");  // U+FFFF is no XML character
}

TEST(Svg, EveryElementIsWellFormed) {
  SvgCanvas canvas(200, 100, "a <title> & \"more\"");
  canvas.rectangle({1, 2, 3.456789, 4}, rgb(0x102030, 0.5));
  canvas.polygon(std::array<Point, 3>{{{0, 0}, {1, 0}, {-0.001, 1}}}, rgb(0xff0000));
  canvas.line(std::array<Point, 2>{{{0, 0}, {10, 10}}}, 1.5, rgb(0x00ff00));
  canvas.text({5, 5}, "<&>", {12, rgb(0), Anchor::end, true, true});
  canvas.text({5, 5}, "", {});
  canvas.image({0, 0, 10, 10}, Pixels{1, 1, 3, {1, 2, 3}});
  canvas.dots(std::array<Dot, 2>{{{{1, 1}, rgb(0x0000ff), "R&D"}, {{2, 2}, rgb(0x0000ff), ""}}}, {3, 0.5, true}, {});
  const std::string svg = canvas.finish();
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_NE(svg.find("aria-label=\"a &lt;title&gt; &amp; &quot;more&quot;\""), std::string::npos);
  EXPECT_NE(svg.find("<rect x=\"1\" y=\"2\" width=\"3.46\" height=\"4\" fill=\"#102030\" fill-opacity=\"0.5\"/>"),
            std::string::npos);
  EXPECT_NE(svg.find("points=\"0,0 1,0 0,1\""), std::string::npos);  // -0.001 is 0, not -0
  EXPECT_NE(svg.find("text-anchor=\"end\" font-weight=\"bold\" transform=\"rotate(-90 5 5)\">&lt;&amp;&gt;</text>"),
            std::string::npos);
  EXPECT_EQ(count(svg, "<text"), 1u);  // the empty one is left out
  EXPECT_EQ(count(svg, "<circle"), 2u);
  EXPECT_EQ(count(svg, "<title>R&amp;D</title>"), 1u);
  EXPECT_NE(svg.find("href=\"data:image/png;base64,iVBOR"), std::string::npos);  // how every PNG begins
}

TEST(Svg, ManyDotsBecomeOneImageAndLoseTheirTooltips) {
  const auto drawn = [](std::size_t dots) {
    SvgCanvas canvas(200, 100, "");
    canvas.dots(std::vector<Dot>(dots, Dot{{50, 50}, rgb(0x0000ff), "name"}), {2, 0.5, false}, {0, 0, 200, 100});
    return canvas.finish();
  };
  EXPECT_EQ(count(drawn(2000), "<title>"), 2000u);
  EXPECT_EQ(count(drawn(2001), "<title>"), 0u);
  EXPECT_EQ(count(drawn(5000), "<circle"), 5000u);
  EXPECT_EQ(count(drawn(5001), "<circle"), 0u);
  EXPECT_EQ(count(drawn(5001), "<image"), 1u);
}

}  // namespace
}  // namespace fewdim
