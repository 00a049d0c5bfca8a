"""The style of the page of a trajectory, light and dark."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --bg: #fbfaf8; --card: #fff; --ink: #1f2328; --dim: #6b7178; --line: #e4e1dc;
  --blue: #2456a6; --ok: #1a7f4b; --error: #b3261e; --unknown: #8a6100; --open: #7a3e9d; --code: #f4f2ee; }
@media (prefers-color-scheme: dark) { :root { --bg: #15171a; --card: #1c1f23; --ink: #e3e5e8; --dim: #979da5;
  --line: #2e3338; --blue: #8ab4f8; --ok: #6dd3a0; --error: #ff8a80; --unknown: #f0c35a; --open: #d0a2ee;
  --code: #121416; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: .95rem; font-weight: 600; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 a { color: var(--blue); text-decoration: none; font-variant-numeric: tabular-nums; margin-right: .3rem; }
header > p { font-size: .9rem; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
.dim, footer { color: var(--dim); font-weight: 400; font-size: .85rem; }
header { border-bottom: 1px solid var(--line); padding-bottom: 1rem; margin-bottom: 1.5rem; }
.message { color: var(--dim); }
.step, .note { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem;
  margin: 0 0 .9rem; }
.step:target { border-color: var(--blue); box-shadow: 0 0 0 1px var(--blue); }
.note { border-left: 4px solid var(--line); }
.note.user { border-left-color: var(--blue); }
.note.loop { border-left-color: var(--unknown); }
.note.compaction { border-left-color: var(--open); }
.note.start, .note.end { background: none; padding-top: .4rem; padding-bottom: .4rem; }
.who { font-weight: 600; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0; }
.reasoning .text { color: var(--dim); font-style: italic; }
summary { cursor: pointer; }
.reasoning > summary { color: var(--dim); font-size: .85rem; }
pre { background: var(--code); border-radius: 6px; padding: .5rem .7rem; margin: .25rem 0; overflow-wrap: anywhere;
  white-space: pre-wrap; font: 13px/1.5 ui-monospace, "JetBrains Mono", "DejaVu Sans Mono", monospace; }
code { background: var(--code); border-radius: 4px; padding: .1rem .35rem; overflow-wrap: anywhere;
  white-space: pre-wrap; font: 13px ui-monospace, "DejaVu Sans Mono", monospace; }
.add { color: var(--ok); } .del { color: var(--error); }
details[open] > summary > pre { display: none; }
.call { border-left: 3px solid var(--line); padding-left: .8rem; margin: .7rem 0 .2rem; }
.call.ok { border-left-color: var(--ok); } .call.error { border-left-color: var(--error); }
.call.unknown { border-left-color: var(--unknown); } .call.open { border-left-color: var(--open); }
.name { font-weight: 600; font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .9rem; }
.badge { font-size: .78rem; font-weight: 600; padding: .05rem .5rem;
  border-radius: 99px; border: 1px solid currentColor; }
.badge.ok { color: var(--ok); } .badge.error { color: var(--error); } .badge.unknown { color: var(--unknown); }
.badge.open { color: var(--open); }
figure { margin: 1rem 0 0; } svg { width: 100%; height: auto; display: block; }
.fresh { fill: var(--blue); opacity: .55; } .cached { fill: var(--blue); opacity: .3; } a:hover .fresh { opacity: 1; }
rect.ok { fill: var(--ok); } rect.error { fill: var(--error); } rect.unknown { fill: var(--unknown); }
rect.open { fill: var(--open); } rect.silent { fill: var(--line); }
.cut { stroke: var(--open); stroke-width: 1.5; stroke-dasharray: 4 3; }
footer { margin-top: 2rem; overflow-wrap: anywhere; }
""".strip()
