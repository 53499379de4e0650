"""Pasted numbers: tables, data, lists in prose and worked lines, read into cells with their names and places."""
