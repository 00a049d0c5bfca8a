"""unsorry as an MCP server: `prove`, `judge`, `goal`, `search` for any MCP client (docs/mcp.md).

answers   what the four tools answer: three-valued, as JSON
work      what they do, in threads, over one project
slots     how many calls run at a time, how many wait, for how long
server    the tools as MCP has them; stdio, and streamable HTTP on the loopback interface
"""
