"""Reads and writes tables by the format `grampus` of Spark, and compares with what was imported."""
