"""Tools of MCP servers for the agent (client), and unsorry as an MCP server (serving/).  Needs the `agent` extra.

config      ServerConfig: one `[[mcp_servers]]` table
json_file   `.mcp.json`, which is read in trusted folders only
background  one event loop in a thread, for all connections of the process
connection  one server: started, called, lost, started again
results     what a server answers -> Observation
names       tool names that every endpoint takes
pool        McpServers: all servers of a run, their tools as Tool objects
"""
