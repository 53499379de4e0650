"""Pasted numbers: tables, data, code output, lists in prose and worked lines, read into cells with their names and places."""
