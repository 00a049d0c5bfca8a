"""Models of the agent.

endpoint    chat with tools at an OpenAI-compatible server: wire (history out), answers (in), sse (streams),
            dialects (what servers want differently), pseudo (calls that a server left in the text)
text        the plain protocol for models without tools (blocks, values)
local       a sampler of ours, token-exact, without tools: under `text`
scripted    answers from a list or a function
probe       what a model or its server cannot do: `unsorry doctor --model`
registry    models by the names of the command line and configuration
"""
