"""Reads downloads back with programs that are not ours, and compares them with what was put into the tables.

What the tables hold is known from the source alone (`source`, `small_tables`): nothing that the server or the download says counts as the truth.
"""
