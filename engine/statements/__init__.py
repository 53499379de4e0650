"""What can be claimed, as data: a language of terms and relations over the pipeline, read, written and settled."""
