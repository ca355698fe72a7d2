"""The style of the report page: light and dark, phone and paper."""

CSS = """\
:root { --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --paper: #fff; --band: #f6f8fa; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8eb; --soft: #a2abb5; --line: #3a424c; --paper: #14171b; --band: #1d2127; --link: #7ab7ff; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 72rem; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .75rem; }
h2 { font-size: 1.3rem; margin: 2.75rem 0 .5rem; padding-top: .75rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1.02rem; margin: 2rem 0 .25rem; }
nav h2 { border: 0; font-size: 1rem; margin: 1rem 0 0; padding: 0; }
nav ol { columns: 2; margin: .25rem 0 0; padding-left: 1.4rem; }
p { margin: .4rem 0; max-width: 50rem; }
a { color: var(--link); }
.reading { font-weight: 500; }
.note { color: var(--soft); font-size: .85rem; }
.badge { font-size: .72rem; font-weight: 500; color: var(--soft); border: 1px solid var(--line); border-radius: 1rem;
  padding: .05rem .5rem; vertical-align: middle; white-space: nowrap; }
figure { margin: .75rem 0; padding: .5rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: .3rem; overflow-x: auto; }
figure svg { display: block; max-width: 100%; height: auto; }
.scroll { overflow: auto; max-height: 34rem; margin: .5rem 0; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .28rem .7rem .28rem 0; text-align: left; vertical-align: baseline; }
th.n, td.n { text-align: right; padding-left: .7rem; white-space: nowrap; }
thead th { position: sticky; top: 0; background: var(--paper); box-shadow: inset 0 -1px var(--ink);
  vertical-align: bottom; font-weight: 600; }
thead th.n { white-space: normal; max-width: 8rem; }
tbody tr.first > * { border-top: 1px solid var(--line); }
tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 10rem; }
td:not(.n) { min-width: 8rem; }
tbody tr:nth-child(even) { background: var(--band); }
tbody tr:last-child > * { border-bottom: 1px solid var(--line); }
@media (max-width: 40rem) {
  nav ol { columns: 1; }
  body { padding: 1rem .75rem 3rem; }
  figure svg { max-width: none; }
  .scroll { max-height: none; }
}
@page { size: A4 landscape; margin: 12mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav { display: none; }
  h2, h3, .reading { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  .scroll { overflow: visible; max-height: none; }
  thead th { position: static; }
  table { font-size: 7.5pt; }
  tbody th { min-width: 0; }
  td:not(.n) { min-width: 0; }
  th.n, td.n { padding-left: .3rem; }
  th, td { padding-right: .35rem; }
}
"""
