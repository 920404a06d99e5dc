"""Bytes for another process: the plan of a copy, written as a pickle stream and read again."""
