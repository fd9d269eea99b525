// Colours and layout of pages; the colours are the window's.
#include "core/report/page_style.h"

#include <fmt/format.h>

#include "core/data/palette.h"

namespace ts {
namespace {

// As the style sheet calls them.
struct PageColor {
  const char* name;
  data::Color data::Palette::*color;
  bool ground = false;  // something is written on it
};
// clang-format off
constexpr PageColor kColors[] = {
    {"page", &data::Palette::pane},         {"raised", &data::Palette::raised},
    {"line", &data::Palette::line},         {"text", &data::Palette::text},
    {"quiet", &data::Palette::text_quiet},  {"cell", &data::Palette::cell},
    {"grid", &data::Palette::page_grid},    {"accent", &data::Palette::accent},
    {"a", &data::Palette::src0, true},      {"b", &data::Palette::src1, true},
    {"mask", &data::Palette::mask, true},   {"tmp", &data::Palette::scratch, true},
    {"out", &data::Palette::written, true}, {"bad", &data::Palette::finding, true},
    {"ring", &data::Palette::select},       {"hatch", &data::Palette::hatch},
};
// clang-format on

std::string hex(data::Color color) { return fmt::format("#{:02x}{:02x}{:02x}", color.r, color.g, color.b); }

std::string variables(const char* name) {
  const data::Palette& palette = data::palette(name);
  std::string out;
  for (const PageColor& color : kColors) {
    const data::Color value = palette.*color.color;
    out += fmt::format("--{}:{};", color.name, hex(value));
    if (color.ground) out += fmt::format("--ink-{}:{};", color.name, hex(data::text_on(value)));
  }
  return out;
}

constexpr const char* kRules = R"(
*{box-sizing:border-box}
body{margin:0 auto;padding:24px;max-width:1060px;background:var(--page);color:var(--text);font:15px/1.5 Inter,system-ui,sans-serif;font-variant-ligatures:none;font-feature-settings:"liga" 0,"calt" 0}
h1{font-size:22px;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:16px;margin:28px 0 8px;border-bottom:1px solid var(--line);padding-bottom:4px}
p{margin:6px 0}
code,pre,.m,td.v,.flow text{font-family:"JetBrains Mono",ui-monospace,"DejaVu Sans Mono",monospace}
code,pre{font-size:13px}
pre{margin:6px 0;padding:10px 12px;background:var(--raised);border:1px solid var(--line);border-radius:6px;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.quiet{color:var(--quiet)}
.chips{display:flex;flex-wrap:wrap;gap:6px;padding:0;margin:8px 0;list-style:none;font-size:13px}
.chips li{border:1px solid var(--line);border-radius:10px;padding:1px 10px;background:var(--raised);overflow-wrap:anywhere}
.found{border:2px solid var(--bad);outline:1px solid var(--bad);outline-offset:2px;border-radius:4px;padding:8px 12px;margin:12px 0}
.found b{overflow-wrap:anywhere}
.found.warning,.found.note{outline:none}
.found.note{border-color:var(--quiet)}
.rule{background:var(--bad);color:var(--ink-bad);border-radius:3px;padding:0 6px;font-size:13px}
table{border-collapse:collapse;margin:8px 0;font-size:14px;max-width:100%}
td,th{border:1px solid var(--line);padding:3px 10px;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{background:var(--raised);font-weight:600}
td.v{font-size:13px;white-space:pre-wrap}
.source{padding:6px 0;white-space:pre}
.source span.row{display:block;padding:0 12px 0 92px;text-indent:-80px;white-space:pre-wrap}
.source .here{background:var(--cell);border-left:4px solid var(--accent);padding-left:88px}
.source i{font-style:normal;color:var(--quiet);user-select:none}
.source u{text-decoration:none;border-bottom:2px solid}
.source mark{background:none;color:inherit;border-bottom:3px double var(--bad)}
.source .a{border-color:var(--a)}.source .b{border-color:var(--b)}.source .mask{border-color:var(--mask)}.source .tmp{border-color:var(--tmp)}.source .out{border-color:var(--out)}
.key{display:inline-block;min-width:20px;text-align:center;border-radius:3px;font-weight:700;padding:0 4px}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;padding:0;margin:10px 0;list-style:none;font-size:13px;color:var(--quiet)}
.legend svg{vertical-align:-4px}
svg{max-width:100%;height:auto}
.flow{display:block;margin:8px 0}
.flow text{font-size:12px;fill:var(--text)}
.flow text.n,.flow text.q,.flow tspan.q{font-size:11px;fill:var(--quiet)}
.flow text.t{font-size:13px;font-weight:600}
.flow text.b{font-size:12px;font-weight:700}
.flow text.l{font-size:9px;fill:var(--quiet)}
.legend text{font-size:12px;fill:var(--text)}
.c{fill:var(--cell);stroke:var(--grid);stroke-width:1}
.f-a{fill:var(--a)}.f-b{fill:var(--b)}.f-mask{fill:var(--mask)}.f-tmp{fill:var(--tmp)}.f-out{fill:var(--out)}.f-bad{fill:var(--bad)}
.flow text.ink-a{fill:var(--ink-a)}.flow text.ink-b{fill:var(--ink-b)}.flow text.ink-mask{fill:var(--ink-mask)}.flow text.ink-tmp{fill:var(--ink-tmp)}.flow text.ink-out{fill:var(--ink-out)}.flow text.ink-bad{fill:var(--ink-bad)}
.key.f-a{background:var(--a);color:var(--ink-a)}.key.f-b{background:var(--b);color:var(--ink-b)}.key.f-mask{background:var(--mask);color:var(--ink-mask)}.key.f-tmp{background:var(--tmp);color:var(--ink-tmp)}.key.f-out{background:var(--out);color:var(--ink-out)}
.line{fill:none;stroke-width:1.6}
.s-a{stroke:var(--a)}.s-b{stroke:var(--b)}.s-mask{stroke:var(--mask)}.s-tmp{stroke:var(--tmp)}.s-out{stroke:var(--out)}
.decides{stroke-dasharray:5 3}
.w{fill:var(--out)}
.ring{fill:none;stroke:var(--ring);stroke-width:2}
.bad{fill:none;stroke:var(--bad);stroke-width:1.4}
.flow text.bang{fill:var(--bad);font-weight:700}
.p{stroke:var(--hatch);stroke-width:1;fill:none}
.hatch{fill:url(#hatch)}.cross{fill:url(#cross);opacity:.6}.weak{opacity:.25}
.faded{opacity:.4}
details{margin:8px 0}
summary{cursor:pointer;font-weight:600}
footer{margin-top:32px;border-top:1px solid var(--line);padding-top:8px;font-size:13px;color:var(--quiet);overflow-wrap:anywhere}
)";

}  // namespace

std::string page_style() {
  return fmt::format(
      "\n:root{{color-scheme:light dark;{}}}\n@media (prefers-color-scheme:dark){{:root{{{}}}}}\n"
      "@media (prefers-contrast:more) and (prefers-color-scheme:dark){{:root{{{}}}}}\n"
      "@media print{{:root{{{}}}body{{padding:0;max-width:none;-webkit-print-color-adjust:exact;"
      "print-color-adjust:exact}}table,.found,.flow{{break-inside:avoid}}h2{{break-after:avoid}}}}{}",
      variables("light"), variables("dark"), variables("contrast"), variables("light"), kRules);
}

const char* role_style(Role role, std::size_t& values) {
  switch (role) {
    case Role::Out: return "out";
    case Role::Tmp:
    case Role::Address: return "tmp";
    case Role::Mask:
    case Role::Offsets: return "mask";
    case Role::In:
    case Role::Scalar: break;
  }
  return values++ == 0 ? "a" : "b";
}

}  // namespace ts
