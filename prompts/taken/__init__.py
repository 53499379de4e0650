"""What a visitor takes away: the conversation as Markdown or as a notebook, the numbers, a link."""
