"""The style of the page of a hunt: that of an agent's page, with tables and lists of facts."""

from __future__ import annotations

from unsorry.scaffolds.agent.page_style import STYLE as AGENT

STYLE = (
    AGENT
    + """
main > h1 { margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .5rem 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
ul { padding-left: 1.2rem; }
"""
)
