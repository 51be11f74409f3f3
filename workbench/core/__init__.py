"""The words of the domain: standard library only, no I/O, no clock."""
