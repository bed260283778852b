#pragma once
// The style sheet of a report's page.

namespace headroom::run {

/// Without "<" and "&": it stands in a page that is XML too.
inline constexpr const char* kReportStyle = R"(
:root{color-scheme:light;--bg0:#E6E9EE;--bg1:#FFFFFF;--bg2:#F3F5F8;--line:#E2E6EC;--text1:#15191F;--text2:#475160;--text3:#5F6A79;
--accent:#1F63DB;--ok:#12804F;--warn:#986000;--bad:#C9303B;--grid:#ECEFF3;--forward:#6FB0F5;--backward:#4B48B4;--repeat:#DF7A1F;
--optimizer:#2A9D74;--data:#97A3B4;--class0:#0E8FC0;--class1:#C58A00;--class2:#D0367F;
--class3:#6D5BD0;--class4:#2A9D74;--class5:#B4552D;--class6:#5B6B7B;--class7:#7F8B00}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--bg0:#090B0E;--bg1:#111419;--bg2:#191D24;--line:#232932;
--text1:#E9EDF3;--text2:#A8B1BE;--text3:#8A94A2;--accent:#6AA6FF;--ok:#45C486;--warn:#F7C948;--bad:#FF7373;--grid:#1E242C;
--forward:#79B8FF;--backward:#5B5BD0;--repeat:#F2994A;--optimizer:#3FBF8F;--data:#8593A6;--class0:#4CC9F0;--class1:#FFD166;--class2:#F472B6;
--class3:#A78BFA;--class4:#3FBF8F;--class5:#F2994A;--class6:#9FB0C3;--class7:#C5D63D}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg0);color:var(--text1);font:14px/1.5 Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;
font-variant-numeric:tabular-nums}
main{max-width:1240px;margin:0 auto;padding:8px}
header,section{background:var(--bg1);border-radius:8px;margin:0 0 8px;padding:16px 20px}
h1,h2,h3,p,figure,table,dl{margin:0}
h1{font-size:24px;line-height:1.3;font-weight:600;overflow-wrap:anywhere}
h2{font-size:16px;font-weight:600;margin-bottom:12px;overflow-wrap:anywhere}
h3{font-size:14px;font-weight:600}
.brand{color:var(--accent);font-weight:600;margin-bottom:2px}
.quiet,.unit{color:var(--text3)}
.unit{font-weight:400;margin-left:6px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px 28px;margin-top:14px}
.figures dt{color:var(--text3);font-size:13px}
.figures dd{margin:0;font-size:22px;line-height:1.35;font-weight:600}
.figures dd small{display:block;font-size:13px;font-weight:400;color:var(--text2)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(460px,100%),1fr));gap:20px 28px}
.wide{grid-column:1/-1}
figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px;margin-bottom:2px}
.legend span{margin-left:14px;color:var(--text2);font-size:13px;white-space:nowrap}
.legend i{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:5px;background:currentColor}
.legend data{color:var(--text1);font-weight:500}
svg{display:block;width:100%;height:auto}
svg .grid{stroke:var(--grid);fill:none}
svg text{font-size:12px;fill:var(--text3)}
svg .end{text-anchor:end}svg .middle{text-anchor:middle}
svg .line{fill:none;stroke-width:2;stroke-linejoin:round;vector-effect:non-scaling-stroke}
svg .dots{stroke:none}
svg .mark{stroke:var(--text3);stroke-dasharray:4 4;fill:none}
svg .mark.bad{stroke:var(--bad)}
svg .flag{font-weight:600;fill:var(--text1)}svg .flag.bad,svg text.level{fill:var(--bad)}
svg path.level{stroke:var(--bad);stroke-width:2;fill:none}
.training,.peak{stroke:var(--accent);fill:var(--accent);color:var(--accent)}
.validation{stroke:var(--repeat);fill:var(--repeat);color:var(--repeat)}
.mean{stroke:var(--text1);fill:var(--text1);color:var(--text1)}
.class0{stroke:var(--class0);fill:var(--class0);color:var(--class0)}
.class1{stroke:var(--class1);fill:var(--class1);color:var(--class1)}
.class2{stroke:var(--class2);fill:var(--class2);color:var(--class2)}
.class3{stroke:var(--class3);fill:var(--class3);color:var(--class3)}
.class4{stroke:var(--class4);fill:var(--class4);color:var(--class4)}
.class5{stroke:var(--class5);fill:var(--class5);color:var(--class5)}
.class6{stroke:var(--class6);fill:var(--class6);color:var(--class6)}
.class7{stroke:var(--class7);fill:var(--class7);color:var(--class7)}
svg .area{stroke:none}
svg .area.range{fill:var(--accent);opacity:.28}svg .area.peak{opacity:.16}
.phase-forward{fill:var(--forward);color:var(--forward)}.phase-backward{fill:var(--backward);color:var(--backward)}
.phase-recompute{fill:var(--repeat);color:var(--repeat)}.phase-optimizer{fill:var(--optimizer);color:var(--optimizer)}
.phase-data,.phase-loss,.phase-validation,.phase-save{fill:var(--data);color:var(--data)}
.scroll{overflow-x:auto}
table+p,.scroll+p{margin-top:8px}
table{border-collapse:collapse;width:100%}
th,td{text-align:right;padding:4px 0 4px 20px;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--text3);font-weight:400;white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0;overflow-wrap:anywhere}
tr:last-child td{border-bottom:0}
.text td{text-align:left;overflow-wrap:anywhere}.text th{text-align:left}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(340px,100%),1fr));gap:0 40px}
.columns dl{display:grid;grid-template-columns:minmax(110px,auto) 1fr;align-content:start}
.columns dt,.columns dd{padding:3px 0;border-bottom:1px solid var(--line)}
.columns dt{color:var(--text2);padding-right:16px}
.columns dd{margin:0;text-align:right;overflow-wrap:anywhere}
.note{border-left:3px solid var(--warn);padding:4px 12px;margin-top:12px;background:var(--bg2)}
.note.bad{border-color:var(--bad)}
.pictures{display:grid;gap:16px}
.pictures img{display:block;width:100%;height:auto;border-radius:3px}
.ok{color:var(--ok)}.warn{color:var(--warn)}.bad{color:var(--bad)}
@page{margin:12mm}
@media print{body{background:none;font-size:11px;-webkit-print-color-adjust:exact;print-color-adjust:exact}main{max-width:none;padding:0}
header,section{border-radius:0;padding:10px 0;border-bottom:1px solid var(--line)}figure,tr,.figures{break-inside:avoid}
h2{break-after:avoid}.charts{grid-template-columns:1fr 1fr}.scroll{overflow:visible}}
)";

}  // namespace headroom::run
