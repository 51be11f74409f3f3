"""Files edited in place: what an edit is not about stays byte for byte."""
