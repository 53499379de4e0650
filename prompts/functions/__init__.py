"""One set of functions for two users: the language model that listens here, and other people's assistants.

asked.py       what each may be asked, with its bounds;  answered.py: what it answers
door.py        FUNCTIONS and call(name, arguments): checked, computed, a wrong request answered in words
offered.py     the same functions as MCP tools;  stdio.py: `python app.py mcp`;  endpoints.py: for Gradio's API
"""
