"""Pictures that learners send: read one to one, lines and columns kept, what is unsure marked. Nothing is stored."""
